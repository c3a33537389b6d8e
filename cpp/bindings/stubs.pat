# What the generated python/athenan/_core.pyi says instead of the literal signatures: see `make stubs`.

athenan._core.(Game|State|SearchSpec).__eq__:
    def __eq__(self, other: object, /) -> bool: ...

athenan._core.(Game|State|SearchSpec).__reduce__:
    def __reduce__(self) -> tuple[object, ...]: ...

# A name that ends in _ counts as private, and with_ is not.
athenan._core.SearchSpec.updated:
    def with_(self, **options: int | float | bool | str) -> SearchSpec:
        """The same with these options."""

    def updated(self, text: str) -> SearchSpec:
        \doc
