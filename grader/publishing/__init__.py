"""The only writer of a site. It knows nothing of what pages say, and loads at once."""

from grader.publishing.manifest import MANIFEST, PUBLIC, known, large
from grader.publishing.staging import Page
from grader.publishing.writer import Published, publish

__all__ = ["MANIFEST", "PUBLIC", "Page", "Published", "known", "large", "publish"]
