"""What goes wrong, as exceptions. The extension raises these; catching ValueError or OSError works too."""


class CapellaError(ValueError):
    """The data or the call is wrong. The message says what was found, what was expected and what to do."""


class FileError(CapellaError, OSError):
    """A file cannot be opened, read or written."""


class CapellaWarning(UserWarning):
    """Something worth knowing about a result, such as empty captions; also listed in ``Result.warnings``."""
