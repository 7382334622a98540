"""Write every schema file anew."""

from codemode_kernel.schemas import SCHEMAS, path_of, schema_text


def main() -> None:
    """Write the files and name them."""
    for name in SCHEMAS:
        path = path_of(name)
        path.write_text(schema_text(name), encoding="utf-8")
        print(path.name)


if __name__ == "__main__":
    main()
