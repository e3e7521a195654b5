"""The lecture's tables of published models as data: what it prints, what is right, and where that is written.

Sizes are counts of parameters, data sizes counts of tokens.
"""

from dataclasses import dataclass

from lmkit.compute import Architecture

B, T = 1e9, 1e12


@dataclass(frozen=True)
class PublishedModel:
    """One row of the table "How large are LLMs?".

    Attributes:
        name, creator, year: as published.
        parameters, tokens: the model's and its training text's size; None where they are not published.
        source: where they are.
        printed: what the lecture says instead, for each field that differs.
        note: why.
    """

    name: str
    creator: str
    year: int
    parameters: float | None
    tokens: float | None
    source: str
    printed: dict[str, float | str] | None = None
    note: str = ""


MODELS = (
    PublishedModel(
        "GPT-2",
        "OpenAI",
        2019,
        1.5576 * B,
        None,
        "Radford et al. (2019)",
        {"parameters": 1.5 * B, "tokens": "~10 billion (40Gb)"},
        "40 GB of text, gigabytes and not gigabits; the number of tokens is an estimate",
    ),
    PublishedModel("GPT-3", "OpenAI", 2020, 175 * B, 300 * B, "Brown et al. (2020)"),
    PublishedModel("PaLM", "Google", 2022, 540 * B, 780 * B, "Chowdhery et al. (2022)"),
    PublishedModel("Chinchilla", "DeepMind", 2022, 70 * B, 1.4 * T, "Hoffmann et al. (2022)"),
    PublishedModel(
        "LaMDA",
        "Google",
        2022,
        137 * B,
        2.81 * T,
        "Thoppilan et al. (2022)",
        {"tokens": 1.56 * T},
        "1.56 trillion words, which are 2.81 trillion tokens",
    ),
    PublishedModel("LLaMA", "Meta", 2023, 65 * B, 1.4 * T, "Touvron et al. (2023a)"),
    PublishedModel("Llama 2", "Meta", 2023, 70 * B, 2 * T, "Touvron et al. (2023b)"),
    PublishedModel(
        "GPT-4", "OpenAI", 2023, None, None, "OpenAI (2023)", {"parameters": 1.76 * T}, "a rumour: no size is published"
    ),
    PublishedModel(
        "Gemini Ultra",
        "Google",
        2023,
        None,
        None,
        "Gemini Team (2023)",
        {"parameters": 1.5 * T},
        "a rumour: no size is published",
    ),
    PublishedModel(
        "Llama 3.1",
        "Meta",
        2024,
        405 * B,
        15.6 * T,
        "Grattafiori et al. (2024)",
        {"name": "LLaMA-3", "tokens": 15 * T},
        "the model with 405 billion parameters is Llama 3.1",
    ),
)


@dataclass(frozen=True)
class SizedModel:
    """A model whose sizes are published, so that its parameters can be counted (``compute.n_parameters``).

    Attributes:
        name: of the model.
        architecture: the right sizes.
        printed_parameters: as the lecture's table, which copies the paper's, has it.
        printed: other entries of that row that are wrong or missing, by name.
        note: why they are wrong.
    """

    name: str
    architecture: Architecture
    printed_parameters: float
    printed: dict[str, int | None] | None = None
    note: str = ""


GPT = (
    SizedModel(
        "GPT",
        Architecture(12, 768, 12, vocab_size=40_478, context_length=512, final_norm=False),
        117e6,
        note="post-LN, and a vocabulary of 40 478: 116.5 M",
    ),
    SizedModel(
        "GPT-2 XL",
        Architecture(48, 1600, 25, vocab_size=50_257, context_length=1024),
        1542e6,
        {"d_ff": None, "n_heads": None},
        "the count is 1 557.6 M, of which the paper's figure falls short; the blanks are 6400 and 25",
    ),
    SizedModel("GPT-3", Architecture(96, 12_288, 96, vocab_size=50_257, context_length=2048), 175e9),
)


def _gpt3(n_layers: int, d_model: int, n_heads: int) -> Architecture:
    return Architecture(n_layers, d_model, n_heads, vocab_size=50_257, context_length=2048)


# Brown et al. (2020), Table 2.1
GPT3_SIZES = (
    SizedModel("GPT-3 Small", _gpt3(12, 768, 12), 125e6),
    SizedModel("GPT-3 Medium", _gpt3(24, 1024, 16), 350e6),
    SizedModel("GPT-3 Large", _gpt3(24, 1536, 16), 760e6),
    SizedModel(
        "GPT-3 XL", _gpt3(24, 2048, 16), 1.3e9, {"n_heads": 24}, "24 heads of 128 make 3072, not 2048; 16 heads fit"
    ),
    SizedModel("GPT-3 2.7B", _gpt3(32, 2560, 32), 2.7e9),
    SizedModel("GPT-3 6.7B", _gpt3(32, 4096, 32), 6.7e9),
    SizedModel("GPT-3 13B", _gpt3(40, 5120, 40), 13e9, {"d_model": 5140}, "40 heads of 128 make 5120"),
    SizedModel("GPT-3 175B", _gpt3(96, 12_288, 96), 175e9),
)

# The same paper's Table D.1: petaflop/s-days of training on 300 billion tokens, by 6 N D.
GPT3_PETAFLOP_S_DAYS = {
    "GPT-3 Small": 2.60,
    "GPT-3 Medium": 7.42,
    "GPT-3 Large": 15.8,
    "GPT-3 XL": 27.5,
    "GPT-3 2.7B": 55.2,
    "GPT-3 6.7B": 139,
    "GPT-3 13B": 268,
    "GPT-3 175B": 3640,
}
GPT3_TRAINING_TOKENS = 300e9
LECTURE_GPT3 = {"petaflop/s-days": 50, "training tokens": 500e9}  # the 2.7B model's compute, and the whole collection
ROBERTA_LARGE_PARAMETERS = 355e6


@dataclass(frozen=True)
class DataSource:
    """A row of GPT-3's Table 2.2.

    Attributes:
        name: of the text collection.
        tokens: its size, rounded to a billion.
        weight: the share of training examples drawn from it, rounded to a hundredth.
        printed_epochs: how often it was seen in training, as the table has it.
    """

    name: str
    tokens: float
    weight: float
    printed_epochs: float

    @property
    def epochs(self) -> float:
        """How often, computed from the two other columns."""
        return self.weight * GPT3_TRAINING_TOKENS / self.tokens

    @property
    def possible_epochs(self) -> tuple[float, float]:
        """The least and the most that the rounding of the two other columns allows."""
        least = (self.weight - 0.005) * GPT3_TRAINING_TOKENS / (self.tokens + 0.5e9)
        return least, (self.weight + 0.005) * GPT3_TRAINING_TOKENS / (self.tokens - 0.5e9)


GPT3_DATA = (
    DataSource("Common Crawl (filtered)", 410e9, 0.60, 0.44),
    DataSource("WebText2", 19e9, 0.22, 2.9),
    DataSource("Books1", 12e9, 0.08, 1.9),
    DataSource("Books2", 55e9, 0.08, 0.43),
    DataSource("Wikipedia", 3e9, 0.03, 3.4),
)
