"""The models that run in the page give lmkit's numbers: the book's ``engine.js`` in a real browser."""

import numpy as np
import pytest
import torch
from conftest import ROOT

from lmkit.attention import attention, causal_mask
from lmkit.corpora import course_grammar
from lmkit.feedforward import FeedforwardConfig, FeedforwardLM
from lmkit.grammar import Grammar
from lmkit.grammar_rules import as_data
from lmkit.lstm import LSTM
from lmkit.plotting import widget
from lmkit.recurrent import RecurrentConfig, RecurrentLM
from lmkit.seq2seq import Seq2Seq, Seq2SeqConfig
from lmkit.tokenizers import WordTokenizer
from lmkit.transformer import TransformerConfig, TransformerLM

WIDGETS = ROOT / "book/_static/widgets"
PROBE = 'customElements.define("lm-probe", class extends lm.Widget { build(data) { this.data = data; } });'


def halved(model):
    """The model with its weights rounded to half precision, as they go into a page."""
    model.load_state_dict({name: w.half().float() for name, w in model.state_dict().items()})
    return model


@pytest.fixture
def probe(tmp_path, serve, visit):
    """A function that opens a page with a widget of these data and weights, which does nothing by itself."""

    def start(data, weights):
        for name in ("shared", "engine"):
            (tmp_path / f"{name}.js").write_text((WIDGETS / f"{name}.js").read_text(encoding="utf-8"), encoding="utf-8")
        (tmp_path / "probe.js").write_text(PROBE, encoding="utf-8")
        scripts = "".join(f"<script defer src={name}.js></script>" for name in ("shared", "engine", "probe"))
        body = widget("probe", data, "In words.", weights).data
        (tmp_path / "page.html").write_text(
            f"<!DOCTYPE html><html lang=en><meta charset=utf-8><title>t</title>{scripts}{body}", encoding="utf-8"
        )
        tab = visit()
        page = tab.open(f"{serve(tmp_path)}/page.html")
        assert tab.errors == []
        return page

    return start


@pytest.mark.slow
def test_feedforward_network_in_the_page_is_that_of_lmkit(probe):
    model = FeedforwardLM(FeedforwardConfig(7, n_context=4, d_embedding=3, d_hidden=5), seed=1)
    with torch.no_grad():
        model.E.mul_(20)  # units that bend
        for bias in (model.b_h, model.b_y):
            bias.normal_(generator=torch.Generator().manual_seed(0))
    halved(model)
    page = probe({}, model.state_dict())
    windows = np.random.default_rng(0).integers(7, size=(50, 4))
    found = page.evaluate(
        """async (windows) => {
          const model = new lm.engine.Feedforward(await lm.engine.weights(document.querySelector("lm-probe")));
          return windows.map((ids) => Object.entries(model.read(ids)).map(([name, values]) => [name, [...values]]));
        }""",
        windows.tolist(),
    )
    tokens = torch.from_numpy(windows)
    with torch.no_grad():
        h = model.run(tokens, model.initial_state(len(windows)))[0][:, -1]
        expected = {"e": model.E[tokens].flatten(1), "h": h, "logits": model.logits(tokens)[:, -1]}
    assert abs(h).max() > 0.9
    for b, values in enumerate(found):
        assert [name for name, _ in values] == [*expected]
        for name, value in values:
            np.testing.assert_allclose(value, expected[name][b], rtol=1e-4, atol=1e-5, err_msg=name)


@pytest.mark.slow
def test_lstm_and_grammar_in_the_page_are_those_of_lmkit(probe):
    grammar = course_grammar()
    sentences = grammar.sample(200, seed=5)
    tokenizer = WordTokenizer(sentences)
    model = RecurrentLM(RecurrentConfig(tokenizer.vocab_size, "lstm", 24, 32), seed=1)
    for weight in model.parameters():
        weight.data *= 3  # gates that open and close, as those of a trained model
    halved(model)
    page = probe({"vocab": tokenizer.vocab, "grammar": as_data(grammar.rules)}, model.state_dict())
    found = page.evaluate(
        """async (sentences) => {
          const widget = document.querySelector("lm-probe"), { LSTM, Grammar, weights } = lm.engine;
          const model = new LSTM(await weights(widget)), grammar = new Grammar(widget.data.grammar), { vocab } = widget.data;
          return sentences.map((words) => {
            let state = model.begin(), alive = grammar.begin();
            return ["<bos>", ...words].map((word, t) => {
              if (t) alive = grammar.read(alive, word);
              state = model.step(vocab.indexOf(word), state);
              const numbers = Object.fromEntries(Object.entries(state).map(([name, values]) => [name, [...values]]));
              return { ...numbers, exact: grammar.next(alive) };
            });
          });
        }""",
        sentences,
    )
    layer = model.encoder.layers[0][0]
    assert isinstance(layer, LSTM)
    for words, steps in zip(sentences, found, strict=True):
        ids = torch.tensor([[model.bos_id, *tokenizer.encode(words).tolist()]])[:, : len(words) + 1]
        with torch.no_grad():
            x = model.encoder.embedding(ids[0])
            h = c = torch.zeros(32)
            for t, step in enumerate(steps):
                i, f, g, o = (layer.W_x @ x[t] + layer.W_h @ h + layer.b).chunk(4)
                i, f, g, o = i.sigmoid(), f.sigmoid(), g.tanh(), o.sigmoid()
                c = f * c + i * g
                h = o * c.tanh()
                for name, expected in {"i": i, "f": f, "g": g, "o": o, "c": c, "h": h}.items():
                    np.testing.assert_allclose(step[name], expected, rtol=0, atol=1e-3, err_msg=f"{name} at {t}")
            logits = model.logits(ids)[0]
        np.testing.assert_allclose([step["logits"] for step in steps], logits, rtol=0, atol=1e-3)
        np.testing.assert_allclose([step["p"] for step in steps], logits.softmax(-1), rtol=0, atol=1e-3)
        for t, step in enumerate(steps):
            assert dict(step["exact"]) == pytest.approx(grammar.next_word_distribution(words[:t]), rel=1e-12)
            assert [p for _, p in step["exact"]] == sorted((p for _, p in step["exact"]), reverse=True)


def bias(model, layer):
    return model.blocks[layer].attention.W_o.bias.detach()


def read_with_switches(model, ids, off=(), mask=True, positions=True):
    """The residual stream after the input and after each sublayer, and the weights of each layer's heads, by lmkit's parts."""
    x = model.embedding(ids)
    x = model.positions(x) if positions else x
    stream, weights = [x], []
    for layer, block in enumerate(model.blocks):
        q, k, v = block.attention.project(block.norm_1(x))
        heads, a = attention(q, k, v, causal_mask(ids.shape[1]) if mask else None)
        heads = heads * torch.tensor([float((layer, i) not in off) for i in range(heads.shape[1])])[:, None, None]
        x = x + block.attention.W_o(heads.transpose(1, 2).flatten(2))
        stream.append(x)
        x = x + block.feed_forward(block.norm_2(x))
        stream.append(x)
        weights.append(a)
    return stream, weights


@pytest.mark.slow
@pytest.mark.parametrize(
    ("positions", "qk_norm", "layers", "heads"),
    [("learned", False, 2, 3), ("convolution", True, 3, 2), ("none", True, 1, 1)],
)
def test_transformer_in_the_page_is_that_of_lmkit(probe, positions, qk_norm, layers, heads):
    config = TransformerConfig(9, 14, layers, heads, 12, positions, qk_norm=qk_norm, tied=False)
    model = TransformerLM(config, seed=1)
    for weight in model.parameters():
        weight.data = 3 * weight.data + 0.1 * torch.randn(weight.shape, generator=torch.Generator().manual_seed(1))
    halved(model)
    page = probe({"heads": heads, "qk": qk_norm}, model.state_dict())
    texts = [[0], [0, 5, 5, 1], [0, 8, 7, 6, 5, 4, 3, 2, 1, 1, 2, 3, 4, 5]]
    last = layers - 1, heads - 1
    switches = [{}, {"mask": False}, {"positions": False}, {"off": [(0, 0)]}, {"off": [(0, 0), last], "mask": False}]
    found = page.evaluate(
        """async ([texts, switches]) => {
          const widget = document.querySelector("lm-probe"), { heads, qk } = widget.data;
          const model = new lm.engine.Transformer(await lm.engine.weights(widget), heads, qk);
          const plain = (rows) => rows.map((x) => [...x]);
          return texts.map((ids) => switches.map(({ off = [], ...rest }) => {
            const { stream, layers } = model.read(ids, { off: new Set(off.map((pair) => pair.join("."))), ...rest });
            return { stream: stream.map(plain), lens: stream.map((each) => plain(each.map(model.logits))),
              weights: layers.map(({ heads }) => heads.map(({ weights }) => plain(weights))),
              adds: layers.map(({ heads }) => heads.map(({ adds }) => plain(adds))), fed: layers.map(({ adds }) => plain(adds)) };
          }));
        }""",
        [texts, switches],
    )
    for ids, answers in zip(texts, found, strict=True):
        for switch, answer in zip(switches, answers, strict=True):
            with torch.no_grad():
                stream, weights = read_with_switches(model, torch.tensor([ids]), **switch)
                lens = [model.output(model.final_norm(x))[0] for x in stream]
                if not switch:
                    np.testing.assert_allclose(lens[-1], model.logits(torch.tensor([ids]))[0], rtol=0, atol=1e-4)
            for name, expected in (("stream", [x[0] for x in stream]), ("lens", lens)):
                for mine, theirs in zip(answer[name], expected, strict=True):
                    np.testing.assert_allclose(mine, theirs, rtol=0, atol=1e-3, err_msg=f"{name}, {switch}")
            for layer, a in enumerate(weights):
                for i in range(heads):
                    for t, row in enumerate(answer["weights"][layer][i]):
                        np.testing.assert_allclose(row, a[0, i, t, : len(row)], rtol=0, atol=1e-4)
                        assert len(row) == (t + 1 if switch.get("mask", True) else len(ids))
                kept = sum(
                    np.array(answer["adds"][layer][i]) for i in range(heads) if (layer, i) not in switch.get("off", [])
                )
                np.testing.assert_allclose(
                    kept, stream[2 * layer + 1][0] - stream[2 * layer][0] - bias(model, layer), rtol=0, atol=1e-3
                )
                np.testing.assert_allclose(
                    answer["fed"][layer], stream[2 * layer + 2][0] - stream[2 * layer + 1][0], rtol=0, atol=1e-3
                )


@pytest.mark.slow
def test_encoder_decoder_in_the_page_is_that_of_lmkit(probe):
    model = Seq2Seq(Seq2SeqConfig("abcd", "additive", d_state=12, d_embedding=5), seed=1)
    for weight in model.parameters():
        weight.data *= 3
    with torch.no_grad():
        model.output.bias[0] = 5.0  # <bos> would often be the most probable, and must never be written
    halved(model)
    bos, eos = model.tokenizer.bos_id, model.tokenizer.eos_id
    page = probe({}, model.state_dict())
    sources = ["", "a", "dcba", "abcdabcdabcd", "bbbbb"]
    found = page.evaluate(
        """async ([sources, bos, eos]) => {
          const model = new lm.engine.Seq2Seq(await lm.engine.weights(document.querySelector("lm-probe")));
          return sources.map((ids) => model.greedy(ids, bos, eos, 9).map((step) =>
            Object.fromEntries(Object.entries(step).map(([name, value]) => [name, value.length ? [...value] : value]))));
        }""",
        [[model.tokenizer.encode(source, eos=True).tolist() for source in sources], bos, eos],
    )
    for source, steps in zip(sources, found, strict=True):
        (answer,), (weights,) = model.greedy([source], max_length=9)
        ids = [step["id"] for step in steps]
        assert model.text(ids) == answer and len(ids) == len(weights) and bos not in ids
        with torch.no_grad():
            read = model.encode(model.tokens([source]))
            states, _ = model.decode(torch.tensor([[bos, *ids[:-1]]]), read.last, read)
            logits = model.output(states)[0].index_fill(-1, torch.tensor([bos]), -torch.inf)
            context = torch.from_numpy(weights) @ read.H[0]
        p = logits.softmax(-1)[torch.arange(len(ids)), ids]
        for name, expected in {"weights": weights, "context": context, "s": states[0], "p": p}.items():
            np.testing.assert_allclose([step[name] for step in steps], expected, rtol=0, atol=1e-3, err_msg=name)


@pytest.mark.slow
def test_grammar_in_the_page_knows_what_cannot_be_said_and_what_is_ambiguous(probe):
    grammar = Grammar("S -> 1 a/x S | 1 A | 1 b:K c:K-b $b $c\nA -> 1 a/x | 2 b/x\nK: x a b c")
    page = probe({"grammar": as_data(grammar.rules)}, {})
    prefixes = [[], ["a"], ["a", "a"], ["b"], ["b", "c"], ["b", "c", "b"], ["c", "c"], ["a", "zebra"], ["a", "c", "a"]]
    found = page.evaluate(
        """(prefixes) => {
          const grammar = new lm.engine.Grammar(document.querySelector("lm-probe").data.grammar);
          return prefixes.map((words) => {
            const alive = words.reduce((before, word) => grammar.read(before, word), grammar.begin());
            return alive.length ? Object.fromEntries(grammar.next(alive)) : null;
          });
        }""",
        prefixes,
    )
    for prefix, next_words in zip(prefixes, found, strict=True):
        if not np.isfinite(grammar.log_probs(prefix)[:-1]).all():
            assert next_words is None and prefix in (["c", "c"], ["a", "zebra"])
        else:
            assert next_words == pytest.approx(grammar.next_word_distribution(prefix), rel=1e-12)


@pytest.mark.slow
def test_half_precision_is_read_as_numpy_writes_it(probe):
    bits = np.arange(2**16, dtype="<u2").view("<f2")
    finite = bits[np.isfinite(bits)]
    page = probe({}, {"all": finite.reshape(-1, 2), "one": np.float64(0.1)})
    found = page.evaluate(
        """async () => {
          const { all, one } = await lm.engine.weights(document.querySelector("lm-probe"));
          return [[...all.data], all.shape, [...one.data], Object.is(all.data[32768 - 1024], -0)];
        }"""
    )
    assert found[0] == finite.astype(float).tolist() and found[1:] == [
        [len(finite) // 2, 2],
        [float(np.float16(0.1))],
        True,
    ]
