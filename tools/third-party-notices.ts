/**
 * The licences of the packages of others that a release passes on, in one text: those of the server, and those that are built into
 * the dashboard. Packages with the same text are named together above it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Locked, licenseOf, nameOf, packageAt, readLock, releasePackages } from './sbom.ts'

const root = join(import.meta.dirname, '..')
const licenseFile = /^(licen[cs]e|copying|notice|copyright)/i
const line = '-'.repeat(80)

/** Packages whose text stands for the same licence in packages that have no file of their own. */
const standardTexts: Readonly<Record<string, string>> = {
  'Apache-2.0': 'node_modules/@aws-sdk/client-s3',
  MIT: 'node_modules/react',
}

/**
 * The licence texts of all packages of a release. Packages for other machines are left out: npm installs them there, with their
 * own texts.
 *
 * @throws if another package is not installed, or has a licence without a known text
 */
export function thirdPartyNotices(): string {
  const locked = readLock()
  const namesByText = new Map<string, Set<string>>()
  for (const path of releasePackages(locked)) {
    const { version, optional } = packageAt(locked, path)
    if (optional && !existsSync(join(root, path))) continue
    const text = licenseText(locked, path)
    const names = namesByText.get(text) ?? new Set()
    names.add(`${nameOf(path)} ${version} (${licenseOf(locked, path)})`)
    namesByText.set(text, names)
  }
  const sections = [...namesByText].map(([text, names]) => [line, ...names, line, '', text, ''].join('\n'))
  return ['Patio contains the following packages of others, under the licences below.', '', ...sections].join(
    '\n',
  )
}

function licenseText(locked: Locked, path: string): string {
  return textsIn(path) ?? standardText(path, licenseOf(locked, path))
}

/** The texts in the licence files of an installed package; undefined without such a file. */
function textsIn(path: string): string | undefined {
  const texts = readdirSync(join(root, path))
    .filter(name => licenseFile.test(name))
    .sort()
    .map(name =>
      readFileSync(join(root, path, name), 'utf8')
        .replaceAll('\r\n', '\n')
        .trim(),
    )
  return texts.length > 0 ? texts.join('\n\n') : undefined
}

/** The usual text of a licence with the author of the package, which names the licence in its package.json alone. */
function standardText(path: string, license: string | undefined): string {
  const model = standardTexts[license ?? '']
  const text = model && textsIn(model)
  if (text === undefined) throw new Error(`${path} has no text of its licence ${license}`)
  const { author } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'))
  const holder = author?.name ?? author ?? `the authors of ${nameOf(path)}`
  return text.replace(/^Copyright .*$/m, `Copyright (c) ${holder}`)
}
