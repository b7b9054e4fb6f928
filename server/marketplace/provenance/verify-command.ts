import { existsSync, readFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import type { Provenance } from '#contract/marketplace/provenance.ts'
import { keyIdOf } from '#platform/security/signer.ts'
import {
  InvalidPackageError,
  openExported,
  PackageTooLargeError,
  registerExtraFile,
} from '#server/studio/index.ts'
import { provenanceCompanion, readProvenance } from './package-companion.ts'
import {
  describeStatement,
  type KnownKey,
  provenanceIn,
  type VerifyFinding,
  verifyContent,
  verifySignature,
} from './verify.ts'

// the statement in a package is no attachment of it; this command does not load the rest of the area
registerExtraFile(provenanceCompanion)

const usage = 'Usage: verify <package.zip | install.json> [--key <key file or key id>] …'

/** Unreadable input: exit code 2. */
class Unreadable extends Error {}

/**
 * The `verify` command: checks offline that a package is the release that a server published and approved. Returns the exit
 * code: 0 if everything is valid, 1 if something is not or the key is not trusted, 2 if the arguments or the file cannot be
 * read. `print` receives the output line by line.
 */
export async function verify(args: string[], print: (line: string) => void): Promise<0 | 1 | 2> {
  const printLine = (text: string) => print(inOneLine(text))
  try {
    const { path, known } = await readArguments(args)
    const findings = await findingsOf(path, known)
    for (const { holds, text } of findings)
      printLine(`${holds === undefined ? '     ' : holds ? 'ok   ' : 'NOT  '}${text}`)
    const isRight = findings.every(({ holds }) => holds !== false)
    printLine(isRight ? 'Everything holds.' : 'Not everything holds.')
    return isRight ? 0 : 1
  } catch (error) {
    // errors of the file system or the archive
    const isForeseen =
      error instanceof Unreadable ||
      error instanceof InvalidPackageError ||
      error instanceof PackageTooLargeError
    if (!isForeseen && (error as NodeJS.ErrnoException).syscall === undefined) throw error
    printLine((error as Error).message)
    return 2
  }
}

/** Escapes control characters: the content of a file must not write its own lines or control the terminal. */
function inOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, char => `\\u{${char.codePointAt(0)!.toString(16)}}`)
}

async function readArguments(args: string[]): Promise<{ path: string; known: KnownKey[] }> {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { key: { type: 'string', multiple: true } },
    })
    const [path, more] = positionals
    if (path === undefined || more !== undefined) throw new Unreadable(usage)
    return { path, known: (values.key ?? []).flatMap(keysIn) }
  } catch (error) {
    if (error instanceof Unreadable) throw error
    throw new Unreadable(`${(error as Error).message} ${usage}`)
  }
}

/** Reads a key file, as the server publishes at /.well-known/patio-provenance.json, or accepts a key id. */
function keysIn(argument: string): KnownKey[] {
  if (!existsSync(argument)) {
    if (/^[\w-]{43}$/.test(argument)) return [{ keyId: argument }]
    throw new Unreadable(`There is no file ${argument}, and it is not a key id.`)
  }
  const { keys } = parsed(readFileSync(argument, 'utf8'), argument) as {
    keys?: { crv?: unknown; x?: unknown }[]
  }
  const known = (Array.isArray(keys) ? keys : [])
    .filter(key => key?.crv === 'Ed25519' && typeof key.x === 'string')
    .map(({ x }) => ({ publicKey: x as string, keyId: keyIdOf(x as string) }))
  if (known.length === 0) throw new Unreadable(`${argument} contains no Ed25519 key.`)
  return known
}

function parsed(text: string, path: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {}
  throw new Unreadable(`${path} is not JSON.`)
}

async function findingsOf(path: string, known: readonly KnownKey[]): Promise<VerifyFinding[]> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const head = Buffer.alloc(2)
    await file.read(head, 0, 2, 0)
    if (head.toString('latin1') === 'PK') return await ofPackage(file, size, path, known)
    if (size > maxJsonBytes) throw new Unreadable(`${path} is neither a package nor an install.`)
    const value = parsed((await file.readFile()).toString('utf8'), path)
    const provenance = readProvenance(value) ?? readProvenance(value.provenance)
    if (!provenance) throw new Unreadable(`${path} contains no signed statement.`)
    const alone = { text: 'Texts and files were not compared: the argument is not a package.' }
    return [...describeStatement(provenance), ...verifySignature(provenance, known), alone]
  } finally {
    await file.close()
  }
}
const maxJsonBytes = 16 * 1_048_576

async function ofPackage(
  file: FileHandle,
  size: number,
  path: string,
  known: readonly KnownKey[],
): Promise<VerifyFinding[]> {
  const archive = await openExported({
    size,
    async read(position, length) {
      const buffer = Buffer.alloc(Math.max(0, Math.min(length, size - position)))
      const { bytesRead } = await file.read(buffer, 0, buffer.length, position)
      return buffer.subarray(0, bytesRead)
    },
    close: async () => {},
  })
  const provenance: Provenance | undefined = await provenanceIn(archive)
  if (!provenance) throw new Unreadable(`${path} contains no signed statement (provenance.json).`)
  return [
    ...describeStatement(provenance),
    ...verifySignature(provenance, known),
    ...(await verifyContent(archive, provenance)),
  ]
}
