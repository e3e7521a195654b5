"""The lecture's tables of published models as data: what it prints, what is right, and where that is written.

Sizes of models are counts of parameters, sizes of texts counts of tokens. The tables of GPT-3 are from Brown et al. (2020).
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
        "40 GB, gigabytes and not gigabits, and no count of their tokens is published; 1.5 is the paper's 1542 million",
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
        batch_tokens, learning_rate: of its training; None where the lecture's table does not say.
        printed: other entries of that row that are wrong or missing, by name.
        note: why they are wrong.
    """

    name: str
    architecture: Architecture
    printed_parameters: float
    batch_tokens: float | None = None
    learning_rate: float | None = None
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
        printed={"d_ff": None, "n_heads": None},
        note="the count is 1 557.6 M, of which the paper's figure falls short; the blanks are 6400 and 25",
    ),
    SizedModel("GPT-3", Architecture(96, 12_288, 96, vocab_size=50_257, context_length=2048), 175e9),
)


def _gpt3(n_layers: int, d_model: int, n_heads: int) -> Architecture:
    return Architecture(n_layers, d_model, n_heads, vocab_size=50_257, context_length=2048)


# Table 2.1
GPT3_SIZES = (
    SizedModel("GPT-3 Small", _gpt3(12, 768, 12), 125e6, 0.5e6, 6.0e-4),
    SizedModel(
        "GPT-3 Medium", _gpt3(24, 1024, 16), 350e6, 0.5e6, 3.0e-4, note="355.9 M, and 356 in the paper's Table D.1"
    ),
    SizedModel("GPT-3 Large", _gpt3(24, 1536, 16), 760e6, 0.5e6, 2.5e-4),
    SizedModel(
        "GPT-3 XL",
        _gpt3(24, 2048, 16),
        1.3e9,
        1e6,
        2.0e-4,
        {"n_heads": 24},
        "24 heads of 128 make 3072, not 2048; 16 heads fit",
    ),
    SizedModel("GPT-3 2.7B", _gpt3(32, 2560, 32), 2.7e9, 1e6, 1.6e-4),
    SizedModel("GPT-3 6.7B", _gpt3(32, 4096, 32), 6.7e9, 2e6, 1.2e-4),
    SizedModel(
        "GPT-3 13B",
        _gpt3(40, 5120, 40),
        13.0e9,
        2e6,
        1.0e-4,
        {"d_model": 5140},
        "40 heads of 128 make 5120, and 12.85 billion parameters, as in the paper's Table D.1",
    ),
    SizedModel("GPT-3 175B", _gpt3(96, 12_288, 96), 175e9, 3.2e6, 0.6e-4),
)


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
TRAINING_RUNS = (
    TrainingRun("T5-Small", 60e6, 1000e9, 2.08, 3),
    TrainingRun("T5-Base", 220e6, 1000e9, 7.64, 3),
    TrainingRun("T5-Large", 770e6, 1000e9, 26.7, 3),
    TrainingRun("T5-3B", 3000e6, 1000e9, 104, 3),
    TrainingRun("T5-11B", 11_000e6, 1000e9, 382, 3),
    TrainingRun("BERT-Base", 109e6, 250e9, 1.89),
    TrainingRun("BERT-Large", 355e6, 250e9, 6.16),
    TrainingRun("RoBERTa-Base", 125e6, 2000e9, 17.4),
    TrainingRun("RoBERTa-Large", 355e6, 2000e9, 49.3),
    TrainingRun("GPT-3 Small", 125e6, GPT3_TRAINING_TOKENS, 2.60),
    TrainingRun("GPT-3 Medium", 356e6, GPT3_TRAINING_TOKENS, 7.42),
    TrainingRun("GPT-3 Large", 760e6, GPT3_TRAINING_TOKENS, 15.8),
    TrainingRun("GPT-3 XL", 1320e6, GPT3_TRAINING_TOKENS, 27.5),
    TrainingRun("GPT-3 2.7B", 2650e6, GPT3_TRAINING_TOKENS, 55.2),
    TrainingRun("GPT-3 6.7B", 6660e6, GPT3_TRAINING_TOKENS, 139),
    TrainingRun("GPT-3 13B", 12_850e6, GPT3_TRAINING_TOKENS, 268),
    TrainingRun("GPT-3 175B", 174_600e6, GPT3_TRAINING_TOKENS, 3640),
)


@dataclass(frozen=True)
class Claim:
    """A number that the lecture states in a sentence: what it prints, what is right, and why."""

    name: str
    printed: float | str
    right: float | str
    note: str


GPT3_CLAIMS = (
    Claim("compute", 50, 3640, "petaflop/s-days: 50 is about the 2.7B model's 55.2 and RoBERTa-Large's 49.3"),
    Claim("unit of compute", "cycles", "floating-point operations", "a processor's cycle does many of them, or none"),
    Claim("training tokens", 500e9, 300e9, "the collections hold 499 billion, of which training read 300 billion"),
    Claim("GPT-3 3B against RoBERTa-Large", 10, 7.6, "2.7 billion / 355 million, where the paper says almost 10 times"),
    Claim(
        "growth with length",
        "quadratic",
        "linear + quadratic",
        "only attention's term is: in GPT-3 at 2048 tokens 2.8 % of the rest",
    ),
)


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


GPT3_DATA = (
    DataSource("Common Crawl (filtered)", 410e9, 0.60, 0.44),
    DataSource(
        "WebText2", 19e9, 0.22, 2.9, "0.22 · 300 / 19 = 3.47; the weights sum to 101 %, but no rounding gives 2.9"
    ),
    DataSource("Books1", 12e9, 0.08, 1.9),
    DataSource("Books2", 55e9, 0.08, 0.43),
    DataSource("Wikipedia", 3e9, 0.03, 3.4),
)
