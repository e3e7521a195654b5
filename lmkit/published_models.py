"""The lecture's tables of published models, read from ``data``: what it prints, what is right, and where that is written.

Sizes of models are counts of parameters, sizes of texts counts of tokens. The tables of GPT-3 are from Brown et al. (2020).
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from lmkit.compute import Architecture

_TABLES = tomllib.loads(Path(__file__).with_name("data").joinpath("published_models.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class PublishedModel:
    """One row of the table "How large are LLMs?".

    Attributes:
        name, creator, year: as published.
        source: where the numbers are.
        parameters: the model's size; None where it is not published.
        tokens: what its training read; None where it is not published. The lecture's one column mixes it with the next.
        collected: tokens of the collection of texts, where that is published and another number.
        printed: what the lecture says instead, for each field that differs.
        note: why.
    """

    name: str
    creator: str
    year: int
    source: str
    parameters: float | None = None
    tokens: float | None = None
    collected: float | None = None
    printed: dict[str, float | str] | None = None
    note: str = ""


LLM_SIZES = tuple(PublishedModel(**row) for row in _TABLES["llm_sizes"])


@dataclass(frozen=True)
class SizedModel:
    """A model whose sizes are published, so that its parameters can be counted (``compute.n_parameters``).

    Attributes:
        name: of the model.
        architecture: the right sizes.
        printed_parameters: as the lecture's table, which copies the paper's, has it.
        batch_tokens, learning_rate: of its training; None where the lecture's table does not say.
        printed: other entries of that row that are wrong, by name; an empty text where it has none.
        note: why they are wrong.
    """

    name: str
    architecture: Architecture
    printed_parameters: float
    batch_tokens: float | None = None
    learning_rate: float | None = None
    printed: dict[str, int | str] | None = None
    note: str = ""


def _sized(rows: list[dict]) -> tuple[SizedModel, ...]:
    return tuple(SizedModel(**row | {"architecture": Architecture(**row["architecture"])}) for row in rows)


GPT = _sized(_TABLES["gpt"])
GPT3_SIZES = _sized(_TABLES["gpt3_sizes"])


@dataclass(frozen=True)
class TrainingRun:
    """A row of GPT-3's Table D.1, which the lecture shows as a bar chart, "Total compute used during training".

    Attributes:
        name: of the model.
        parameters, tokens: its size, rounded, and what it read.
        petaflop_s_days: total operations, as printed there.
        flops_per_parameter: and token: 6; 3 for T5, where each token meets the encoder or the decoder, half of the
            parameters.
    """

    name: str
    parameters: float
    tokens: float
    petaflop_s_days: float
    flops_per_parameter: int = 6

    @property
    def flops(self) -> float:
        """Total operations, from the other columns: attention's scores are left out."""
        return self.flops_per_parameter * self.parameters * self.tokens


GPT3_TRAINING_TOKENS = 300e9
TRAINING_RUNS = tuple(TrainingRun(**row) for row in _TABLES["training_runs"])


@dataclass(frozen=True)
class DataSource:
    """A row of GPT-3's Table 2.2.

    Attributes:
        name: of the text collection.
        tokens: its size, rounded to a billion.
        weight: the share of training examples drawn from it, rounded to a hundredth.
        printed_epochs: how often it was seen in training, as the table has it.
        note: why that is wrong.
    """

    name: str
    tokens: float
    weight: float
    printed_epochs: float
    note: str = ""

    @property
    def epochs(self) -> float:
        """How often, computed from the two other columns."""
        return self.weight * GPT3_TRAINING_TOKENS / self.tokens

    @property
    def possible_epochs(self) -> tuple[float, float]:
        """The least and the most that the rounding of the two other columns allows."""
        least = (self.weight - 0.005) * GPT3_TRAINING_TOKENS / (self.tokens + 0.5e9)
        return least, (self.weight + 0.005) * GPT3_TRAINING_TOKENS / (self.tokens - 0.5e9)


GPT3_DATA = tuple(DataSource(**row) for row in _TABLES["gpt3_data"])
