"""What `grader generate` runs behind your own tiny_lm.py: your model learns from the lessons, then it writes."""

import itertools
import re
import time

import torch

SAYS = {
    "en": {
        "model": "{size:,} numbers to train, {letters} different characters, a text of {length:,}. "
        "Guessing costs {chance:.2f}.\n\n",
        "loss": "{step:>5} steps  loss {loss:.2f}  {bar}\n",
        "writes": "\nIt goes on by itself. What it was given is in brackets; "
        "every token is drawn from what it holds likely:\n\n",
        "with": "\n\nThe likeliest {n} tokens, with the cache:    {seconds:6.2f} s, "
        "{size:,} bytes are kept at the end\n",
        "without": "The likeliest {n} tokens, without the cache: {seconds:6.2f} s, nothing is kept\n",
        "same": "Both are the same.\n",
        "differ": "They differ from token {first} on: `grader check tiny_lm` says more.\n",
    },
    "zh": {
        "model": "要训练的数有 {size:,} 个，不同的字符有 {letters} 个，文本长 {length:,}。"
        "乱猜的损失是 {chance:.2f}。\n\n",
        "loss": "第 {step:>5} 步  损失 {loss:.2f}  {bar}\n",
        "writes": "\n现在它自己往下写。方括号里是给它的开头；每个词元都按它认为的概率抽取：\n\n",
        "with": "\n\n最可能的 {n} 个词元，用缓存：  {seconds:6.2f} 秒，最后留着 {size:,} 字节\n",
        "without": "最可能的 {n} 个词元，不用缓存：{seconds:6.2f} 秒，什么也不留\n",
        "same": "两次写的相同。\n",
        "differ": "从第 {first} 个词元起两次不同：`grader check tiny_lm` 会说得更多。\n",
    },
}
CHANNELS, LAYERS, HEADS, SHARED = 64, 2, 4, 2
LENGTH, TEXTS, AT_ONCE, RATE = 128, 8, 40, 0.008
GIVEN, DRAWN, LIKELIEST, BOLDNESS = 32, 200, 200, 0.8
MOST_LETTERS = 400
PARTS = []


def begin(text, lang, steps, seed):
    """Take the text of the lessons; `go_on` then gives what is to be shown, piece by piece."""
    PARTS.append(parts(text, SAYS.get(lang, SAYS["en"]), steps, seed))


def go_on():
    return next(PARTS[0], "")


@torch.enable_grad()
def parts(text, says, steps, seed):
    torch.manual_seed(seed)
    text = re.sub(r"\$\$.*?\$\$|\$.*?\$|\{\{.*?\}\}|[#*`]", "", text)
    often = sorted(set(text), key=text.count, reverse=True)[: MOST_LETTERS - 1]
    letters = ["\ufffd", *often]  # all rarer ones are one token
    number = {letter: n for n, letter in enumerate(letters)}
    tokens = torch.tensor([number.get(letter, 0) for letter in text])
    model = TinyLM(len(letters), CHANNELS, LAYERS, HEADS, SHARED)  # noqa: F821 - yours
    chance = torch.tensor(float(len(letters))).log().item()
    yield says["model"].format(size=model.size(), letters=len(letters), length=len(text), chance=chance)
    for step in range(0, steps, AT_ONCE):
        count = min(AT_ONCE, steps - step)
        at = torch.randint(len(tokens) - LENGTH, (count, TEXTS, 1))
        losses = model.fit(tokens[at + torch.arange(LENGTH + 1)], RATE * (1 - step / steps))
        loss = sum(map(float, losses)) / count
        yield says["loss"].format(step=step + count, loss=loss, bar="#" * round(40 * loss / chance))
    yield says["writes"]
    start = int(torch.randint(len(tokens) - LENGTH, ()))
    prompt = tokens[None, start : start + GIVEN]
    yield "[" + "".join(letters[n] for n in prompt[0]) + "]"
    yield from itertools.islice(drawn(model, prompt, letters), DRAWN)
    written = []
    for cache, said in ((True, "with"), (False, "without")):
        began = time.perf_counter()
        found, size = model.generate(prompt, LIKELIEST, use_cache=cache)
        seconds = time.perf_counter() - began
        written.append(found[0])
        yield says[said].format(n=LIKELIEST, seconds=seconds, size=size)
    same = (written[0] == written[1]).long().cumprod(0).sum()
    yield says["same"] if same == LIKELIEST else says["differ"].format(first=int(same) + 1)


def drawn(model, prompt, letters):
    """One letter after the other, each with the cache."""
    logits = model(prompt)
    while True:
        new = torch.multinomial((logits[:, -1].detach() / BOLDNESS).softmax(-1), 1)
        yield letters[new.item()]
        logits = model(new, True)
