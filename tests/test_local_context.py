"""The short convolution and the n-gram embeddings, by hand and piece by piece."""

import torch

from lmkit.local_context import CausalConvolution, NgramEmbedding


def test_convolution_by_hand():
    convolution = CausalConvolution(1, 3)
    x, past = torch.tensor([[[1.0], [10.0], [100.0]]]), torch.zeros(1, 2, 1)
    torch.testing.assert_close(convolution(x, past)[0], x)  # it starts as the identity
    convolution.w.data = torch.tensor([[3.0], [2.0], [1.0]])
    y, after = convolution(x, past)
    assert y.flatten().tolist() == [1, 12, 123]
    assert after.flatten().tolist() == [10, 100]
    for t in range(3):  # one position at a time
        y_t, past = convolution(x[:, t], past)
        assert torch.equal(y_t, y[:, t]) and past.shape == (1, 2, 1)


def test_ngram_embedding_adds_the_vectors_of_the_ngrams_that_end_at_a_token():
    """With more rows than n-grams and no collision among them, equal n-grams have equal vectors, others have not."""
    embedding = NgramEmbedding(order=3, rows=10_007, d_model=4, bos_id=0)
    assert embedding(torch.tensor([[1, 2]]), torch.empty(1, 0, dtype=torch.int64)).abs().sum() == 0
    torch.nn.init.normal_(embedding.tables.weight, generator=torch.Generator().manual_seed(0))
    none = torch.empty(1, 0, dtype=torch.int64)
    text = torch.tensor([[5, 6, 7, 5, 6, 7, 6, 7]])
    vectors = embedding(text, none)[0]  # (T, 4)
    assert torch.equal(vectors[2], vectors[5])  # both end 5 6 7
    assert not torch.allclose(vectors[2], vectors[7])  # 7 6 7: the same bigram, another trigram
    vectors_after_bos = embedding(torch.tensor([[0, 0, 5, 6]]), none)[0]
    assert torch.equal(vectors[:2], vectors_after_bos[2:])  # before the text stands <bos>
    bigrams = NgramEmbedding(order=2, rows=10_007, d_model=4, bos_id=0)
    bigrams.tables.weight.data = embedding.tables.weight.data[:10_007]
    trigrams = vectors - bigrams(text, none)[0]
    assert torch.allclose(bigrams(text, none)[0, 2], bigrams(text, none)[0, 7])
    assert not torch.allclose(trigrams[2], trigrams[7])


def test_ngram_embedding_of_a_text_in_pieces_is_that_of_the_whole():
    embedding = NgramEmbedding(order=4, rows=64, d_model=3, bos_id=0)
    torch.nn.init.normal_(embedding.tables.weight)
    text = torch.randint(50_000, (2, 9))
    whole = embedding(text, text[:, :0])
    for cut in range(1, 9):
        first, second = text[:, :cut], text[:, cut:]
        pieces = torch.cat([embedding(first, first[:, :0]), embedding(second, first)], dim=1)
        assert torch.equal(pieces, whole)
