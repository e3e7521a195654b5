"""lmkit: language models from the chain rule of probability to the Transformer.

One module per topic, under the name of the chapter that teaches it. Importing the package pulls in neither
torch nor matplotlib: import the module you need, for example ``from lmkit import ngram``.
"""

__version__ = "0.1.0"
