/** The files of one package while they are read, by their path inside it. */
export type PackageReader = {
  /** The text of a file; undefined when there is none. Throws Flaw when it is no text. */
  text(path: string): Promise<string | undefined>
  /** The same, but undefined when it is no text either. */
  tryText(path: string): Promise<string | undefined>
  /** Whether there is such a file. */
  has(path: string): boolean
  /** The folder around the package. */
  readonly folder: string | undefined
  warn(code: string, path: string | null, message: string, line?: number | null): void
}
