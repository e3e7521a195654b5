"""The texts of the course: a language whose entropy is known, real English without a download, Tiny Shakespeare, toy texts.

All texts printed here were written for this course; the facts in them (which words, how often) are the lectures'.
"""

import functools
import hashlib
import os
import re
from itertools import permutations
from pathlib import Path

from lmkit.grammar import Grammar, Token

# ---------------------------------------------------------------------------------------------------------------------
# A language of known entropy. See ``lmkit.grammar`` for how to read it. Three kinds of sentences test three abilities:
#   FACTS   collocation: the word is decided by the one or two before it. A bigram or trigram suffices.
#   AGREE   agreement: the verb's number is that of a subject four or more words ago, and nouns of either number stand
#           between. No n-gram with n ≤ 5 can know it; one bit of memory can.
#   RECALL  copy: who needs what is told, the talk turns to a printer, then everybody's thing is named again. A model
#           needs to look the thing up under the person's name, 20 to 90 words back.

COURSE_GRAMMAR = """
S      -> 6 FACTS ./.  |  5 AGREE ./.  |  2 RECALL ./.

FACTS  -> 3 FACT  |  2 FACT and/c FACTS
FACT   -> 3 WHOSE students/n open/v their/d!collocation READING WHEN  |  2 WHOSE people/n walk/v their/d!collocation PET WHEN
        | 2 the/d classroom/n falls/v silent/a!collocation  |  3 HERD eat/v FODDER WHEN
        | 2 the/d bat/n makes/v noise/n!collocation at/p!collocation night/n!collocation
        | 2 we/n thank/v you/n!collocation for/p!collocation all/d the/d GIFT
HERD   -> 1 cows/n  |  2 WHOSE cows/n
READING-> 4 books/n  |  2 laptops/n  |  2 minds/n  |  2 letters/n
PET    -> 5 dogs/n  |  2 cats/n  |  2 horses/n  |  1 goats/n
GIFT   -> 4 fish/n  |  1 memories/n  |  1 help/n  |  1 love/n  |  1 support/n
FODDER -> 4 corn/n  |  3 grass/n  |  2 hay/n  |  2 straw/n
WHEN   -> 1 in/p TIME  |  1 on/p DAY

AGREE  -> 4 the/d ONE PLACES is/v!agreement STATE  |  4 the/d MANY PLACES are/v!agreement STATE
        | 1 the/d bank/n of/p the/d BANK PLACES is/v!agreement STATE
BANK   -> 1 river/n  |  1 street/n
PLACES -> 3 PLACE  |  2 PLACE PLACES
PLACE  -> 1 WHERE the/d LOOK ONE  |  1 WHERE the/d LOOK MANY

RECALL -> 4 a:NAME needs/v her/d x:THING and/c b:NAME-a needs/v her/d y:THING-x ./. TALK at/p last/n GIVE2
        | 3 a:NAME needs/v her/d x:THING ,/. b:NAME-a needs/v her/d y:THING-x and/c PAIR3
PAIR3  -> 1 c:NAME-a-b needs/v her/d z:THING-x-y ./. TALK at/p last/n GIVE3
TALK   -> 3 NEWS ./. NEWS ./.  |  2 NEWS ./. TALK
NEWS   -> 2 the/d printer/n is/v out/p of/p SUPPLY  |  2 she/n walks/v to/p the/d SHOP on/p DAY
        | 1 the/d SHOP is/v closed/a in/p TIME  |  1 it/n rains/v and/c the/d street/n is/v STATE
"""

CLASSES = """
NAME: n anna bella clara dora emma flora greta hanna ida julia klara lena mona nora olga rosa
THING: n tickets maps letters photos poems notes recipes forms stamps tables essays songs cards plans lists reports
ONE: n bridge tower garden window house wall gate tree
MANY: n bridges towers gardens windows houses walls gates trees
WHERE: p near behind above beside below beyond opposite under
LOOK: a old tall small white red big long new
STATE: a open quiet green cold wet dark empty clean
WHOSE: d some many most all these our few
TIME: n spring summer autumn winter
DAY: n monday tuesday wednesday thursday friday saturday sunday
SUPPLY: n toner paper ink power staples glue
SHOP: n shop store station market library office
"""


def _giving(people: str, things: str) -> str:
    """All orders in which the things are named again: 'GIVE2 -> 1 $a prints/v her/d $x!copy and/c … | 1 …'."""
    orders = permutations(f"${who} prints/v her/d ${what}!copy" for who, what in zip(people, things, strict=True))
    return f"GIVE{len(people)} -> " + " | ".join("1 " + " and/c ".join(order) for order in orders)


def course_grammar(words_per_class: int | None = None) -> Grammar:
    """The course's language of known entropy.

    Args:
        words_per_class: keep only so many words of each class (at least 3): a smaller language of the same shape,
            small enough to list.
    """
    if words_per_class is not None and words_per_class < 3:
        raise ValueError(
            f"words_per_class must be at least 3, the number of people in a sentence, got {words_per_class}"
        )
    classes = CLASSES
    if words_per_class is not None:
        classes = "\n".join(" ".join(line.split()[: words_per_class + 2]) for line in CLASSES.splitlines())
    rules = re.sub(r"\n\s*\|", " |", COURSE_GRAMMAR)  # an option may stand on a line of its own
    return Grammar("\n".join([rules, _giving("ab", "xy"), _giving("abc", "xyz"), classes]))


# ---------------------------------------------------------------------------------------------------------------------
# Real English


@functools.cache
def python_docs() -> str:
    """The prose of Python's own documentation, which every interpreter carries: about 0.3 million characters.

    It depends on the version of the interpreter, and so do numbers computed from it. Headings, syntax rules and
    deeply indented code are left out (some short examples remain, since the manual indents them like prose);
    paragraphs are joined to one line each and stand once, though the manual repeats some under several headings.
    """
    from pydoc_data.topics import topics

    paragraphs: dict[str, None] = {}  # a dict keeps the order
    for name in sorted(topics):
        for block in re.split(r"\n\s*\n", topics[name]):
            first = block.lstrip("\n")
            if first and not first.startswith("    ") and not re.search(r"^[*=\-~^]{3,}$|::=", block, re.MULTILINE):
                paragraphs[" ".join(block.split())] = None
    return "\n".join(paragraphs)


TINY_SHAKESPEARE = "tinyshakespeare.txt"
TINY_SHAKESPEARE_SHA256 = "86c4e6aa9db7c042ec79f339dcb96d42b0075e16b8fc2e86bf0ca57e2dc565ed"
TINY_SHAKESPEARE_URL = "https://raw.githubusercontent.com/karpathy/char-rnn/master/data/tinyshakespeare/input.txt"


def tiny_shakespeare() -> str:
    """Tiny Shakespeare (Karpathy's char-rnn, 2015), 1 115 394 characters, the field's yardstick for small models.

    Taken from the folder that the environment variable ``LMKIT_DATA_DIR`` names, else fetched once with ``pooch``.

    Raises:
        FileNotFoundError: if it is in neither place; says what to do.
        ValueError: if the file is not the one that was expected.
    """
    folder = os.environ.get("LMKIT_DATA_DIR")
    ways = (
        f"Put {TINY_SHAKESPEARE} into a folder and set LMKIT_DATA_DIR to it, "
        "or install pooch and go online once: it is fetched and kept."
    )
    if folder:
        path = Path(folder) / TINY_SHAKESPEARE
        if not path.is_file():
            raise FileNotFoundError(f"LMKIT_DATA_DIR is {folder}, but there is no {path}. {ways}")
    else:
        try:
            import pooch

            fetched = pooch.retrieve(
                TINY_SHAKESPEARE_URL,
                known_hash=f"sha256:{TINY_SHAKESPEARE_SHA256}",
                fname=TINY_SHAKESPEARE,
                path=pooch.os_cache("lmkit"),
            )
        except (ImportError, OSError) as reason:
            raise FileNotFoundError(f"Tiny Shakespeare is not on this machine ({reason}). {ways}") from reason
        path = Path(fetched)
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != TINY_SHAKESPEARE_SHA256:
        raise ValueError(f"{path} is not Tiny Shakespeare: its SHA-256 is {found}, expected {TINY_SHAKESPEARE_SHA256}")
    return read_text(path)


def read_text(path: str | Path) -> str:
    """The text of a UTF-8 file.

    Raises:
        ValueError: for bytes that are not UTF-8; says where, and what stands there.
    """
    data = Path(path).read_bytes()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{path} is not UTF-8 text: byte {error.start} is 0x{data[error.start]:02x}. Save it as UTF-8 first."
        ) from error


# ---------------------------------------------------------------------------------------------------------------------
# Toy texts

COWS = (
    "on most farms cows eat corn in winter",
    "these cows eat grass from dawn to dusk",
    "next door the cows eat hay",
    "cows eat corn faster than we can plant it",
    "ask what cows eat if you want to know the taste of milk",
    "happy cows eat grass",
    "in the barn the cows eat hay and sleep",
    "nobody knows which cows eat which flowers",
    "young cows eat corn too",
    "do all cows eat grass",
    "some cows eat corn all year",
)
"""What comes after "cows eat": corn four times in eleven, grass three, hay two, "if" and "which" once."""

STUDENTS = ("students opened their books", "people walked their dogs", "the classroom fell silent")
"""The batch of three sentences with which the lectures train a recurrent network."""

BAT = (
    "the bat made noise at night",
    "the bat ate at night",
    "the bat flies at night",
    "the noise made the cows eat hay",
)
"""Around the sentence that the lectures take apart factor by factor."""

TAGGED = tuple(
    tuple(Token(*pair.split("/"), None) for pair in line.split())
    for line in (
        "time/n flies/v like/p an/d arrow/n",
        "time/n flies/n like/v an/d arrow/n",
        "flies/n fly/v with/p their/d wings/n",  # the lecture tags "their" as a noun
        "with/p time/n you/n will/v see/v",
    )
)
"""The lectures' four samples for part-of-speech tagging."""

LITTLE_PLAY = """\
The king is old, the night is cold,
and who will light the fire?
The fire is dead, the king has said,
and he will climb no higher.
O speak no more of crown and war,
the crown is but a stone.
The stone is cold, the king is old,
and he must sit alone.
Come in, my lord, lay down the sword,
the night is at the door.
The door is wide, come sit inside,
and speak of war no more.
I hear a bell. I know it well,
it rings for those who sleep.
They sleep so sound beneath the ground,
and we are left to weep.
Weep not, my friend. The night will end,
the sun will climb the hill.
The hill is green, the air is clean,
and all the land is still.
Who rings the bell? I cannot tell.
The wind is at the rope.
The wind is free, and so are we,
and where we go is hope.
I had a son. The war is done,
and he is not come home.
He sleeps alone beneath a stone,
a long way from his home.
Then light the fire, and lift it higher,
and let the old king see.
What will he find? The king is blind.
He sees as well as we.
The queen is here. She has no fear
of night or wind or war.
She takes the sword, she says no word,
and leaves it at the door.
My lord, my king, the bells will ring
for you and for the son.
The night is long, but not the song.
The song is soon begun.
Then sing it low, and sing it slow,
and let the fire burn.
The sun will rise in the old king's eyes,
and he who left return.
Who goes, who stays? The queen now says,
the door is open wide.
The king is old, the night is cold.
Come in, and sit inside.
"""
"""Verses in the manner of an old play."""
