"""A model that writes.

Every part of this course comes together here: tokens become vectors, blocks of attention and MLP let them look back,
the products with the embedding are the logits of the next token. You train the model to predict each token of a text
from those before it, and then it goes on with a text by itself. `grader generate` trains your model on the lessons
of this course and lets you watch it write.

The attention is that of the exercise minimind_module, cache and all. You may copy code from your other files; import
nothing from them.
"""

from torch import Tensor, nn


class TinyLM(nn.Module):
    """A small language model with a cache.

    x = embed(tokens); then in every layer, with C channels and RMSNorm as in the exercise rms_norm (eps 1e-6):
        x = x + attention(attention_norm(x))    causal grouped-query attention with RoPE, as in minimind_module
        h = mlp_norm(x)
        x = x + down_proj(silu(gate_proj(h)) * up_proj(h))
    and at the end logits = norm(x) @ embed.weight.T: the embedding is the output matrix too (tied), one parameter.

    The state_dict has exactly these keys, with Dh = C / H, an even number, and i = 0, 1, ...:
        embed.weight [vocab, C], norm.weight [C];
        layers.i.attention_norm.weight [C], layers.i.mlp_norm.weight [C];
        layers.i.attention.q_proj.weight [C, C], layers.i.attention.k_proj.weight and v_proj.weight [H_kv * Dh, C],
        layers.i.attention.o_proj.weight [C, C];
        layers.i.gate_proj.weight and up_proj.weight [2C, C], layers.i.down_proj.weight [C, 2C].
    A second name for the embedding, such as head.weight, may be among them if it is the same parameter. No layer has a
    bias; the cache and tables of cosines stay out. Weights are float32 or float64, and results have their dtype.

    A new model begins with small random matrices, the embedding too (standard deviation 0.02), and norms of 1: so it
    knows nothing, and all tokens are about equally likely.

    Args:
        vocab: how many different tokens there are; they are the numbers 0 to vocab - 1.
        hidden_size: channels of a token, C.
        num_layers: how many layers.
        num_heads: query heads H.
        num_kv_heads: key and value heads H_kv; query head h uses key and value head h // (H / H_kv).
        theta: base of the RoPE frequencies; channel i of a head is paired with channel i + Dh/2.

    Raises:
        ValueError: C is not a multiple of H, or H not of H_kv; when the model is made.

    Example, with model = TinyLM(2, 2, 0, 1, 1), embed.weight the identity and norm.weight ones:
        model(tensor([[0, 1]]))                  -> [[[1.4142, 0.0000], [0.0000, 1.4142]]]
        model.loss(tensor([[0, 1]]))             -> 1.6318     log(1 + e^1.4142)
        model.generate(tensor([[0, 1]]), 3)      -> (tensor([[1, 1, 1]]), 0)     no layer, no cache
    """

    def __init__(
        self, vocab: int, hidden_size: int, num_layers: int, num_heads: int, num_kv_heads: int, theta: float = 1e4
    ) -> None:
        """Make the layers; the names and the order of the arguments are fixed."""
        super().__init__()
        raise NotImplementedError

    def forward(self, tokens: Tensor, continued: bool = False) -> Tensor:
        """Say for each token what may come next.

        Args:
            tokens: whole numbers [B, T].
            continued: False: they begin a new text at position 0, and what was kept of the last one is dropped. True:
                they go on with the text of the calls before, of the same B (on a new model they begin one).

        Returns:
            The logits of the token after each of them [B, T, vocab], with gradients to all weights.
        """
        raise NotImplementedError

    def size(self) -> int:
        """Count the numbers that are trained; those of the embedding count once."""
        raise NotImplementedError

    def loss(self, tokens: Tensor) -> Tensor:
        """Measure how badly each token is predicted from those before it.

        Args:
            tokens: a new text [B, T + 1]; the first T are what the model reads, the last T what it has to predict.

        Returns:
            The mean of -log p(token) over the B * T predictions, natural logarithm; a tensor [] with its gradient.
        """
        raise NotImplementedError

    def fit(self, batches: Tensor, rate: float) -> Tensor:
        """Train the model: for each batch in turn the loss, its gradient, and a step of Adam that changes the weights.

        Adam starts again with each call, as torch.optim.Adam(self.parameters(), lr=rate) does: betas 0.9 and 0.999, eps
        1e-8. You may use that, or write the few lines yourself (torch.optim takes a second to load).

        Args:
            batches: texts [steps, B, T + 1].
            rate: the learning rate.

        Returns:
            The loss of each batch before its step [steps], without gradients; a list of numbers will do too.
        """
        raise NotImplementedError

    def generate(self, prompt: Tensor, n: int, use_cache: bool = True) -> tuple[Tensor, int]:
        """Go on with a text: take the token with the largest logit, n times.

        With the cache the prompt goes through the model once, and then each new token alone; without it the whole text
        goes through again for every new token. The tokens are the same. The last token need not go through any more.

        Args:
            prompt: a new text [B, T], T at least 1.
            n: how many tokens to write, at least 1.
            use_cache: whether to use the cache.

        Returns:
            (tokens, size): the n new tokens [B, n], whole numbers as in the prompt; and how many bytes the keys and
            values have that the cache holds of the T + n - 1 tokens that went through the model (in all layers, before
            heads are repeated), 0 without the cache.
        """
        raise NotImplementedError
