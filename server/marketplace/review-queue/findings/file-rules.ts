import type { AssetType } from '#contract/studio/assets.ts'
import type { FindingSeverity } from './finding.rules.ts'

export type ScannedFile = { path: string; size: number; sha256: string }
export type FileFinding = { severity: FindingSeverity; code: string; path: string | null; message: string }

/** Larger files are reported. */
const hugeBytes = 10_485_760

type PathRule = { code: string; severity: FindingSeverity; pattern: RegExp; message: string }

/** Files that do not belong in a package, by path. Only the first matching rule is reported. */
const pathRules: PathRule[] = [
  {
    code: 'SECRET_FILE',
    severity: 'warn',
    pattern:
      /(?:^|\/)(?:\.env(?:\.(?!example$|sample$|template$|dist$)[\w.-]+)?|\.netrc|\.npmrc|\.pypirc|id_(?:rsa|dsa|ecdsa|ed25519)|[^/]+\.(?:pem|p12|pfx|key|keystore|jks|kdbx))$/i,
    message: 'Files with this name usually contain passwords or keys. Remove it.',
  },
  {
    code: 'DEPENDENCIES',
    severity: 'note',
    pattern: /(?:^|\/)(?:node_modules|bower_components|__pycache__|\.venv|venv|site-packages)\//,
    message: 'Installed dependencies. Remove them and declare them in a manifest instead.',
  },
  {
    code: 'REPOSITORY',
    severity: 'note',
    pattern: /(?:^|\/)\.(?:git|svn|hg)\//,
    message: 'The history of a repository, including deleted content. Remove it.',
  },
  {
    code: 'SYSTEM_FILE',
    severity: 'note',
    pattern: /(?:^|\/)(?:\.DS_Store|Thumbs\.db|desktop\.ini|__MACOSX\/.+|\._[^/]+)$/i,
    message: 'A file created by the operating system. Remove it.',
  },
  {
    code: 'HIDDEN_FILE',
    severity: 'note',
    // the folders and files of plugins begin with a dot, and those of repositories are harmless
    pattern:
      /(?:^|\/)\.(?!(?:claude|claude-plugin|agents|plugin|github)\/|(?:mcp|lsp)\.json$|(?:gitignore|gitattributes|gitkeep|editorconfig|env\.\w+)$)[^/]+/,
    message: 'A hidden file. Remove it, or explain its purpose in the text.',
  },
]

type FileSignature = { code: string; message: string; starts: readonly (readonly number[])[] }
const fileSignatures: FileSignature[] = [
  {
    code: 'EXECUTABLE',
    message: 'A compiled program, which nobody can review. Include its source instead.',
    starts: [
      [0x7f, 0x45, 0x4c, 0x46],
      [0x4d, 0x5a],
      [0xfe, 0xed, 0xfa, 0xce],
      [0xfe, 0xed, 0xfa, 0xcf],
      [0xce, 0xfa, 0xed, 0xfe],
      [0xcf, 0xfa, 0xed, 0xfe],
      [0xca, 0xfe, 0xba, 0xbe],
      [0x00, 0x61, 0x73, 0x6d],
      [0x64, 0x65, 0x78, 0x0a, 0x30],
    ],
  },
  {
    code: 'ARCHIVE',
    message: 'An archive, whose content is not scanned. Include its files instead.',
    starts: [
      [0x50, 0x4b, 0x03, 0x04],
      [0x50, 0x4b, 0x05, 0x06],
      [0x1f, 0x8b],
      [0x42, 0x5a, 0x68],
      [0xfd, 0x37, 0x7a, 0x58, 0x5a],
      [0x37, 0x7a, 0xbc, 0xaf],
      [0x52, 0x61, 0x72, 0x21],
      [0x28, 0xb5, 0x2f, 0xfd],
    ],
  },
]
/** Images, fonts, sound, video and PDF: expected binary files. */
const media = [
  [0x89, 0x50, 0x4e, 0x47],
  [0xff, 0xd8, 0xff],
  [0x47, 0x49, 0x46, 0x38],
  [0x52, 0x49, 0x46, 0x46],
  [0x25, 0x50, 0x44, 0x46],
  [0x77, 0x4f, 0x46],
  [0x4f, 0x54, 0x54, 0x4f],
  [0x00, 0x01, 0x00, 0x00],
  [0x00, 0x00, 0x01, 0x00],
  [0x49, 0x44, 0x33],
  [0x4f, 0x67, 0x67, 0x53],
]

/** Findings about the path and size of a file. */
export function findingsOfPath({ path, size }: ScannedFile): FileFinding[] {
  const rule = pathRules.find(({ pattern }) => pattern.test(path))
  return [
    ...(rule ? [{ severity: rule.severity, code: rule.code, path, message: rule.message }] : []),
    ...(size > hugeBytes
      ? [{ severity: 'note' as const, code: 'HUGE_FILE', path, message: hugeMessage }]
      : []),
  ]
}
const hugeMessage = `A file of more than ${hugeBytes / 1_048_576} MiB, which every install copies. Remove it unless it is needed.`

/** A finding about the first bytes of a binary file. */
export function findingOfBinary(path: string, head: Uint8Array): FileFinding | undefined {
  const begins = (bytes: readonly number[]) => bytes.every((byte, at) => head[at] === byte)
  const magic = fileSignatures.find(({ starts }) => starts.some(begins))
  if (magic) return { severity: 'note', code: magic.code, path, message: magic.message }
  // MP4 and related formats have their signature behind a length
  const isMp4 = [0x66, 0x74, 0x79, 0x70].every((byte, at) => head[at + 4] === byte)
  if (isMp4 || media.some(begins)) return undefined
  return {
    severity: 'note',
    code: 'BINARY_FILE',
    path,
    message:
      'A file that is neither text nor a known image, sound or font format. Explain its purpose in the text.',
  }
}

/** True for the signature of a program or archive, even if the rest looks like text. */
export function isBinaryHead(head: Uint8Array): boolean {
  return (
    head.length >= 4 &&
    fileSignatures.some(({ starts }) => starts.some(s => s.length > 2 && s.every((b, at) => head[at] === b)))
  )
}

/** A finding if a package for others has no license. */
export function findingOfLicense(
  type: AssetType,
  frontmatter: Record<string, unknown>,
  files: readonly ScannedFile[],
): FileFinding | undefined {
  if (type !== 'SKILL' && type !== 'PLUGIN') return undefined
  const isNamed = typeof frontmatter.license === 'string' && frontmatter.license.trim() !== ''
  const isThere = files.some(({ path }) =>
    /(?:^|\/)(?:licen[cs]e|copying|licencia)(?:[.-][^/]*)?$/i.test(path),
  )
  if (isNamed || isThere) return undefined
  const message = 'The license is missing. Add a LICENSE file, or `license` to the front matter.'
  return { severity: 'note', code: 'LICENSE_MISSING', path: null, message }
}
