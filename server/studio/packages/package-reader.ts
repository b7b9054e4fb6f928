/** Reads the files of one package by their paths inside it. */
export type PackageReader = {
  /** The text of a file; undefined if the file does not exist. Throws InvalidPackageError if it is not a text. */
  text(path: string): Promise<string | undefined>
  /** Like `text`, but also undefined if the file is not a text. */
  tryText(path: string): Promise<string | undefined>
  /** Whether the file exists. */
  has(path: string): boolean
  /** The name of the enclosing folder. */
  readonly folder: string | undefined
  warn(code: string, path: string | null, message: string, line?: number | null): void
}
