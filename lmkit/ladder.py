"""The ladder: every model of the course on one text, from no knowledge at all to the Transformer.

The text is drawn from a grammar (``lmkit.grammar``), so the last row is known in advance: the grammar itself, the best
model there can be. Each model is one rung. The table tells how far it stays above that floor, and how often its first guess
is right where the sentence has settled it: in a collocation, in the number of a verb, in a copy.

    python -m lmkit.ladder          about six minutes on one thread
"""

import io
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from lmkit.batches import packed_batches
from lmkit.checks import check_choice, check_flag, check_instance, check_integer, check_sequences, check_words
from lmkit.corpora import course_grammar
from lmkit.evaluation import evaluate
from lmkit.feedforward import FeedforwardConfig, FeedforwardLM
from lmkit.grammar import Grammar, Token
from lmkit.language_model import LanguageModel
from lmkit.linear_recurrence import LinearRecurrenceConfig, LinearRecurrenceLM
from lmkit.neural import NeuralLM
from lmkit.ngram import Interpolation, ModifiedKneserNey, NgramLM
from lmkit.recurrent import RecurrentConfig, RecurrentLM
from lmkit.tokenizers import WordTokenizer
from lmkit.training import TrainingConfig, train
from lmkit.transformer import TransformerConfig, TransformerLM

NGRAMS = ("unigram", "bigram", "trigram", "4-gram", "5-gram")

# Name: the model, given the number of words, the longest sentence and the seed; and its peak learning rate.
NEURAL: dict[str, tuple[Callable[[int, int, int], NeuralLM], float]] = {
    "feed-forward": (lambda V, T, seed: FeedforwardLM(FeedforwardConfig(V, n_context=4), seed), 3e-3),
    "RNN": (lambda V, T, seed: RecurrentLM(RecurrentConfig(V, "rnn"), seed), 3e-3),
    "GRU": (lambda V, T, seed: RecurrentLM(RecurrentConfig(V, "gru"), seed), 3e-3),
    "LSTM": (lambda V, T, seed: RecurrentLM(RecurrentConfig(V, "lstm"), seed), 3e-3),
    "linear recurrence": (lambda V, T, seed: LinearRecurrenceLM(LinearRecurrenceConfig(V), seed), 3e-3),
    # A token that brings its neighbours along lets attention find the copy within the budget; with the other positions it
    # finds about two thirds.
    "Transformer": (
        lambda V, T, seed: TransformerLM(
            TransformerConfig(V, T, n_layers=2, d_model=64, positions="convolution", tied=False), seed
        ),
        4e-3,
    ),
}
MODELS = ("uniform", *NGRAMS, *NEURAL)


@dataclass(frozen=True)
class Rung:
    """What one model achieved.

    Attributes:
        name: of the model.
        parameters: numbers learned from the text; for an n-gram model the n-grams of all orders that it keeps.
        seconds: time of training or counting.
        bits: cross-entropy on the test text in bits per token, ``<eos>`` included.
        excess: bits above those of the grammar itself on the same text. Since both see the same sentences, this
            estimates the divergence from the truth with less noise than bits minus entropy rate.
        accuracy: how often the most probable word is the right one, for each phenomenon.
        costs: the excess, split by where it arises: at the tokens of each phenomenon, and "elsewhere".
    """

    name: str
    parameters: int
    seconds: float
    bits: float
    excess: float
    accuracy: dict[str, float]
    costs: dict[str, float]

    @property
    def excess_percent(self) -> float:
        """The excess in percent of the grammar's own bits."""
        return 100 * self.excess / (self.bits - self.excess)


def ladder(
    grammar: Grammar | None = None,
    n_train: int = 30_000,
    n_test: int = 1_000,
    steps: int = 2_500,
    tokens_per_batch: int = 1024,
    seed: int = 0,
    quiet: bool = False,
    only: Sequence[str] = MODELS,
) -> list[Rung]:
    """Fit or train every model on the same sentences and test it on the same others.

    Args:
        grammar: what the sentences are drawn from; the course's if None.
        n_train, n_test: how many. They are independent draws, so a short sentence may well be in both.
        steps, tokens_per_batch: the budget of every neural model (see ``packed_batches``).
        seed: of the sentences, the initial weights and the order of training.
        quiet: no progress on stderr.
        only: the names of the rungs to climb.

    Returns:
        One rung per model, from the simplest to the Transformer, and the grammar itself as the last.
    """
    for name in check_words(only, "only"):
        check_choice(name, "only", MODELS)
    n_train, n_test = check_integer(n_train, "n_train", 1), check_integer(n_test, "n_test", 1)
    steps, tokens_per_batch = check_integer(steps, "steps", 1), check_integer(tokens_per_batch, "tokens_per_batch", 1)
    seed = check_integer(seed, "seed", low=0)
    log = io.StringIO() if check_flag(quiet, "quiet") else sys.stderr
    grammar = course_grammar() if grammar is None else check_instance(grammar, "grammar", Grammar)
    sentences = grammar.sample_annotated(n_train + n_test, seed)
    words = [[token.word for token in sentence] for sentence in sentences]
    tokenizer = WordTokenizer([*words, grammar.words])  # a closed vocabulary, however small n_train
    ids = [tokenizer.encode(sentence, eos=True) for sentence in words]
    training, test, annotated = ids[:n_train], ids[n_train:], sentences[n_train:]
    truth = grammar.language_model(tokenizer.vocab, tokenizer.bos_id)
    floor = evaluate(truth, test).bits_per_token
    if not floor or not any(token.phenomenon for sentence in annotated for token in sentence):
        raise ValueError("grammar gives a test text with nothing to predict or no phenomenon: take a larger n_test")
    best = np.concatenate(truth.log_probs_many(test))
    labels = np.array([getattr(token, "phenomenon", None) or "elsewhere" for s in annotated for token in [*s, None]])
    V, bos_id, longest = tokenizer.vocab_size, tokenizer.bos_id, max(map(len, ids))
    rungs: list[Rung] = []

    def add(name: str, fit: Callable[[], LanguageModel], parameters: Callable[[LanguageModel], int]) -> None:
        print(f"{name} …", file=log, flush=True)
        start = time.perf_counter()
        model = fit()
        seconds = time.perf_counter() - start
        bits = evaluate(model, test).bits_per_token
        accuracy = accuracy_by_phenomenon(model, test, annotated)
        above = (best - np.concatenate(model.log_probs_many(test))) / np.log(2) / len(best)
        costs = {kind: float(above[labels == kind].sum()) for kind in sorted(set(labels.tolist()))}
        rungs.append(Rung(name, parameters(model), seconds, bits, bits - floor, accuracy, costs))
        print(f"{name}: {bits:.3f} bits per token after {seconds:.1f} s", file=log, flush=True)

    def neural(build: Callable[[int, int, int], NeuralLM], learning_rate: float) -> NeuralLM:
        model = build(V, longest, seed)
        config = TrainingConfig(steps, learning_rate, warmup_steps=steps // 20, seed=seed)
        train(model, packed_batches(training, tokens_per_batch, bos_id, seed), config, quiet=quiet)
        return model

    if "uniform" in only:
        add("uniform", lambda: NgramLM.fit(training, 1, V, Interpolation((1, 0)), bos_id), lambda model: 0)
    for n, name in enumerate(NGRAMS, 1):
        if name in only:
            add(name, lambda n=n: NgramLM.fit(training, n, V, ModifiedKneserNey(), bos_id), _number_of_ngrams)
    for name, choice in NEURAL.items():
        if name in only:
            add(name, lambda choice=choice: neural(*choice), lambda model: sum(p.numel() for p in model.parameters()))
    add("the grammar itself", lambda: truth, lambda model: 0)
    return rungs


def accuracy_by_phenomenon(
    model: LanguageModel, sequences: Sequence[np.ndarray], annotated: Sequence[Sequence[Token]]
) -> dict[str, float]:
    """How often the most probable next word is the one that stands there, at the labelled tokens only.

    Args:
        model: any language model.
        sequences: token ids of each sentence.
        annotated: the same sentences as ``Grammar.sample_annotated`` gives them.
    """
    check_instance(model, "model", LanguageModel)
    sequences = check_sequences(sequences, "sequences", model.vocab_size)
    if not isinstance(annotated, Sequence) or len(annotated) != len(sequences):
        raise ValueError(f"annotated must be {len(sequences)} sentences, as sequences are, got {annotated!r:.60}")
    hits: dict[str, list[bool]] = {}
    for i, (ids, sentence) in enumerate(zip(sequences, annotated, strict=True)):
        if not isinstance(sentence, Sequence) or len(ids) - len(sentence) not in (0, 1):  # <eos> is no word
            raise ValueError(f"annotated[{i}] must be {len(ids)} tokens, or one less for <eos>, got {sentence!r:.60}")
        for t, token in enumerate(sentence):
            if check_instance(token, f"annotated[{i}][{t}]", Token).phenomenon is not None:
                right = int(model.next_log_probs(ids[:t]).argmax()) == ids[t]
                hits.setdefault(token.phenomenon, []).append(right)
    if not hits:
        raise ValueError("annotated labels no token with a phenomenon, expected at least one; take more sentences")
    return {phenomenon: float(np.mean(right)) for phenomenon, right in sorted(hits.items())}


def as_table(rungs: Sequence[Rung]) -> str:
    """The rungs as a table of text, which is also Markdown."""
    if not isinstance(rungs, Sequence) or not rungs or not all(isinstance(rung, Rung) for rung in rungs):
        raise ValueError(f"rungs must be a list of rungs such as ladder() gives, got {rungs!r:.60}")
    phenomena = sorted({phenomenon for rung in rungs for phenomenon in rung.accuracy})
    head = ["model", "parameters", "seconds", "bits/token", "perplexity", "above the floor", *phenomena]
    rows = []
    for rung in rungs:
        floor = f"{rung.excess:.3f} ({rung.excess_percent:.1f} %)"
        shares = [f"{rung.accuracy[p]:.0%}" if p in rung.accuracy else "–" for p in phenomena]
        numbers = [f"{rung.parameters:,}", f"{rung.seconds:.1f}", f"{rung.bits:.3f}", f"{2**rung.bits:.2f}"]
        rows.append([rung.name, *numbers, floor, *shares])
    width = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    rule = ["-" * width[0], *("-" * (w - 1) + ":" for w in width[1:])]
    lines = [" | ".join([row[0].ljust(width[0]), *map(str.rjust, row[1:], width[1:])]) for row in [head, rule, *rows]]
    return "\n".join(f"| {line} |" for line in lines)


def _number_of_ngrams(model: NgramLM) -> int:
    return sum(len(table.grams) for table in model.counts.continuation_tables.values())


if __name__ == "__main__":
    print(as_table(ladder()))
