"""The games whose sheets are added up: one explicit table."""

from typing import Final

from server.tally import detrak_book, qwinto_book
from server.tally.book import Book

BOOKS: Final[dict[str, Book]] = {"detrak": detrak_book.BOOK, "qwinto": qwinto_book.BOOK}
