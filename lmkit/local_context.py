"""What a Transformer can be told about the nearest tokens without attention: a short convolution, n-gram embeddings.

Both are cheap, and both leave attention to what lies further back.
"""

import torch
from torch import Tensor, nn

SCALE = 0.1


class CausalConvolution(nn.Module):
    """y_t = Σ_j w_j ⊙ x_{t−width+1+j}: a learned weighted sum of the last ``width`` positions, each channel on its own.

    It starts as the identity: w is 1 for the position itself (j = width − 1) and 0 for those before.
    """

    def __init__(self, d_model: int, width: int) -> None:
        super().__init__()
        self.w = nn.Parameter(torch.zeros(width, d_model))
        self.w.data[-1] = 1.0

    def forward(self, x: Tensor, past: Tensor) -> tuple[Tensor, Tensor]:
        """The outputs, and the inputs (B, width−1, d) to pass as ``past`` with the next tokens.

        Args:
            x: (B, T, d), or (B, d) for one position of each sequence; so are the outputs.
            past: the inputs before, zeros at the beginning.
        """
        width = len(self.w)
        if x.ndim == 2:
            window = torch.cat([past, x[:, None]], dim=1)  # (B, width, d)
            return (self.w * window).sum(dim=1), window[:, 1:]
        T = x.shape[1]
        x = torch.cat([past, x], dim=1)  # (B, width − 1 + T, d)
        return sum(self.w[j] * x[:, j : j + T] for j in range(width)), x[:, T:]


class NgramEmbedding(nn.Module):
    """A vector for each n-gram of 2 … ``order`` tokens, to add to the embedding of its last token.

    There are too many n-grams for a table: the row of each is a hash of its tokens, and those of the same hash share it
    (Svenstrup et al. 2017; Roy et al. 2022). All vectors start at zero. A batch uses few of the rows: the gradient is
    sparse.

    The rows are multiplied by ``SCALE``. An optimiser like Adam makes steps of one size, and of most n-grams a text has
    so few examples that steps as long as those of the other weights would learn them by heart.

    Args:
        order: the longest n-gram.
        rows: of each order's table.
        d_model: width d.
        bos_id: stands before the first token.
    """

    def __init__(self, order: int, rows: int, d_model: int, bos_id: int) -> None:
        super().__init__()
        self.order, self.rows, self.bos_id = order, rows, bos_id
        self.tables = nn.Embedding((order - 1) * rows, d_model, sparse=True)
        nn.init.zeros_(self.tables.weight)

    def forward(self, tokens: Tensor, past: Tensor) -> Tensor:
        """(B, T, d): the sum over the n-grams that end at each token, given those that stand before (B, P)."""
        T = tokens.shape[1]
        missing = self.order - 1 - past.shape[1]
        if missing > 0:
            past = torch.cat([past.new_full((len(past), missing), self.bos_id), past], dim=1)
        text = torch.cat([past[:, past.shape[1] - self.order + 1 :], tokens], dim=1)  # (B, order − 1 + T)
        code, rows = tokens, []
        for n in range(2, self.order + 1):
            # The next token back is one more digit of a number to an odd base. That it wraps around at 2^64 does no
            # harm to a hash.
            code = code * 1_000_003 + text[:, self.order - n : self.order - n + T]
            rows.append(code % self.rows + (n - 2) * self.rows)
        return SCALE * self.tables(torch.stack(rows)).sum(dim=0)
