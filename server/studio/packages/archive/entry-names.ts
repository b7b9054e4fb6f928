import { isUtf8 } from 'node:buffer'
import { crc32 } from 'node:zlib'
import type { Entry } from 'yauzl'
import { rejectPackage } from '../package-errors.ts'

/** The extra field with the UTF-8 name, beside a header name in another encoding. */
const unicodePath = 0x7075
const saysUtf8 = 0x800

/**
 * The name of an entry. It must be UTF-8, even if the archive does not declare it. If the name in the header is not, the
 * Unicode path field counts. Two different names are rejected, because readers disagree about which one counts.
 */
export function nameOf(entry: Entry): string {
  const raw = entry.fileNameRaw
  const extra = entry.extraFields.find(({ id }) => id === unicodePath)?.data
  const second = extra && extra.length > 5 && extra[0] === 1 ? extra.subarray(5) : undefined
  if (isUtf8(raw)) {
    if (second && !second.equals(raw))
      rejectPackage('two-names', printable(raw), 'An entry has two different names.')
    return raw.toString('utf8')
  }
  const isItsOwn = second && isUtf8(second) && extra?.readUInt32LE(1) === crc32(raw)
  if (!isItsOwn || entry.generalPurposeBitFlag & saysUtf8) {
    rejectPackage('name-encoding', printable(raw), 'The name of an entry is not UTF-8.')
  }
  return second.toString('utf8')
}

/** An untrusted name, shortened and without control characters, for messages and logs. */
export function printable(name: Buffer | string): string {
  const text = (typeof name === 'string' ? name : name.toString('latin1')).slice(0, 255)
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '\ufffd').toWellFormed()
}

/** Why a name is invalid, or undefined. Callers remove a leading `./` first. */
export function nameProblem(name: string): { code: string; message: string } | undefined {
  if (name.includes('\\')) return { code: 'backslash', message: 'A name contains a backslash.' }
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name))
    return { code: 'control-character', message: 'A name contains a control character.' }
  if (name.startsWith('/') || /^[a-z]:/i.test(name))
    return { code: 'absolute-path', message: 'A name is an absolute path.' }
  const parts = name.replace(/\/$/, '').split('/')
  if (parts.includes('..')) return { code: 'outside-path', message: 'A name points outside the package.' }
  if (parts.some(part => part === '.' || part.trim() === ''))
    return { code: 'path-invalid', message: 'A name has an empty part.' }
  return undefined
}

const junkFolders = ['__MACOSX', '.git', 'node_modules', '__pycache__']
const junkFiles = ['.DS_Store', 'Thumbs.db']

/** The kind of junk that a path is, or undefined. Junk is never part of a package. */
export function junkKind(path: string): string | undefined {
  const parts = path.split('/')
  const filename = parts.pop()!
  const folder = junkFolders.find(name => parts.includes(name))
  if (folder) return `${folder}/`
  return filename.endsWith('.pyc') ? '*.pyc' : junkFiles.find(name => name === filename)
}

/** Whether Windows forbids the name. */
export function isForbiddenOnWindows(path: string): boolean {
  return path
    .split('/')
    .some(
      part => /[<>:"|?*]|[. ]$/.test(part) || /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i.test(part),
    )
}
