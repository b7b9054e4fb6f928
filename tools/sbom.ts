/**
 * `npm run sbom [-- file]`: writes the bill of materials of a release, a CycloneDX document of the packages that the server
 * needs and of those that are built into the dashboard. The bytes depend on package.json, package-lock.json and the
 * imports of the dashboard alone. `npm sbom --omit=dev` leaves out packages that a development package needs, too, such as pg.
 */
import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** An entry of package-lock.json, as far as it matters here. */
type LockedPackage = {
  version: string
  integrity?: string
  license?: string
  optional?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}
export type Locked = Record<string, LockedPackage>

/** The licence that a package names in its own files, but not in a form that package-lock.json repeats. */
const licensesInFiles: Record<string, string> = {
  // LICENSE: the terms of Bitstream Vera, and changes in the public domain
  'dejavu-fonts-ttf': 'Bitstream-Vera',
  // package.json: MIT/X11
  nub: 'MIT',
  // LICENSE
  'png-js': 'MIT',
}

/** Licences that allow to pass the packages on with ours, and to run them without conditions on the users. */
const allowedLicenses = new Set([
  '(MIT AND Zlib)',
  '(MIT OR CC0-1.0)',
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Bitstream-Vera',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'PSF-2.0',
  'Unlicense',
])

/** The packages of a lock file, by their path in the project. */
export function readLock(): Locked {
  return JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
}

/**
 * The paths of the packages that a server needs, those for other machines included. The marks of package-lock.json do not tell:
 * they count what a package could work with among its needs.
 */
export function serverPackages(locked: Locked): string[] {
  return withNeeds(locked, ownNeeds(locked))
}

/** The names of the packages that package.json asks for in a server. */
function ownNeeds(locked: Locked): string[] {
  const { dependencies, optionalDependencies } = packageAt(locked, '')
  return Object.keys({ ...dependencies, ...optionalDependencies })
}

/** The paths of the packages that the sources of the dashboard import, and of those that these need. */
function dashboardPackages(locked: Locked): string[] {
  return withNeeds(locked, dashboardImports())
}

/** The paths of all packages that a release passes on, in the server or inside the built dashboard. */
export function releasePackages(locked: Locked): string[] {
  return [...new Set([...serverPackages(locked), ...dashboardPackages(locked)])].sort()
}

function withNeeds(locked: Locked, names: readonly string[]): string[] {
  const found = new Set<string>()
  const visit = (path: string) => {
    if (found.has(path)) return
    found.add(path)
    for (const next of needsOf(locked, path)) visit(next)
  }
  for (const name of names) if (`node_modules/${name}` in locked) visit(`node_modules/${name}`)
  return [...found].sort()
}

function dashboardImports(): string[] {
  const sources = globSync('dashboard/**/*.{ts,tsx,css}', {
    cwd: root,
    exclude: path => /^dashboard\/(build|dist)\b|\.test\.tsx?$/.test(path),
  })
  const imported = sources.flatMap(path => {
    const text = readFileSync(join(root, path), 'utf8')
    const names = text.matchAll(/(?:from |import[ (]|@import )["']((?:@[\w-]+\/)?[a-z][\w.-]*)/g)
    return Array.from(names, ([, name = '']) => name)
  })
  return [...new Set(imported)]
}

/** The paths of the packages that a package needs and that are installed with it. */
function needsOf(locked: Locked, path: string): string[] {
  const {
    dependencies,
    optionalDependencies,
    peerDependencies = {},
    peerDependenciesMeta,
  } = packageAt(locked, path)
  const peers = Object.keys(peerDependencies).filter(name => !peerDependenciesMeta?.[name]?.optional)
  const names = new Set([...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers])
  return [...names].flatMap(name => resolved(locked, path, name) ?? [])
}

/** The place where Node finds a package: in the folder of the importing one, or in a folder above. */
function resolved(locked: Locked, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/node_modules/'), 0))) {
    const path = folder ? `${folder}/node_modules/${name}` : `node_modules/${name}`
    if (path in locked) return path
    if (!folder) return undefined
  }
}

/** The problems of the licences of all packages of a release; empty if each is allowed. */
export function licenseProblems(locked: Locked = readLock()): string[] {
  return releasePackages(locked).flatMap(path => {
    const license = licenseOf(locked, path)
    return license && allowedLicenses.has(license) ? [] : [`${nameOf(path)}: ${license ?? 'no licence'}`]
  })
}

/** The entry of a package. Throws an error if the lock file has none. */
export function packageAt(locked: Locked, path: string): LockedPackage {
  const entry = locked[path]
  if (!entry) throw new Error(`package-lock.json has no entry ${path}`)
  return entry
}

/** The licence of a package as an SPDX expression. */
export function licenseOf(locked: Locked, path: string): string | undefined {
  return licensesInFiles[nameOf(path)] ?? packageAt(locked, path).license
}

/** The name of the package at a path of the lock file. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

/** The bill of materials as JSON. */
export function billOfMaterials(): string {
  const locked = readLock()
  const { name, version, description, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const server = new Set(serverPackages(locked))
  const all = releasePackages(locked)
  const ownRef = `${name}@${version}`
  const refOf = (path: string) => `${nameOf(path)}@${packageAt(locked, path).version}`
  const byRef = new Map(all.map(path => [refOf(path), path]))
  const listed = [...byRef].sort(([one], [other]) => (one < other ? -1 : 1))
  const refs = listed.map(([ref]) => ref)
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: serialNumberOf(JSON.stringify([ownRef, listed.map(([, path]) => packageAt(locked, path))])),
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'pre-build' }],
      component: {
        'bom-ref': ownRef,
        type: 'application',
        name,
        version,
        description,
        licenses: [{ license: { id: license } }],
        purl: purlOf(name, version),
      },
    },
    components: listed.map(([ref, path]) => componentOf(ref, path)),
    dependencies: [
      { ref: ownRef, dependsOn: refsOf(directlyNeeded()) },
      ...refs.map(ref => ({ ref, dependsOn: refsOf(placesOf(ref).flatMap(path => needsOf(locked, path))) })),
    ],
  }
  return `${JSON.stringify(document, null, 2)}\n`

  function componentOf(ref: string, path: string) {
    const { version, integrity, optional } = packageAt(locked, path)
    const license = licenseOf(locked, path)
    if (license === undefined) throw new Error(`${path} has no licence`)
    return {
      'bom-ref': ref,
      type: 'library',
      name: nameOf(path),
      version,
      scope: optional ? 'optional' : 'required',
      ...(integrity && { hashes: [hashOf(integrity)] }),
      licenses: [/[ (]/.test(license) ? { expression: license } : { license: { id: license } }],
      purl: purlOf(nameOf(path), version),
      properties: placesOf(ref).some(place => server.has(place))
        ? []
        : [{ name: 'patio:built-into', value: 'dashboard' }],
    }
  }
  /** A version of a package may be installed in several places, with other packages around it. */
  function placesOf(ref: string): string[] {
    return all.filter(path => refOf(path) === ref)
  }
  function directlyNeeded(): string[] {
    return [...ownNeeds(locked), ...dashboardImports()]
      .map(name => `node_modules/${name}`)
      .filter(path => path in locked)
  }
  function refsOf(paths: string[]): string[] {
    return [...new Set(paths.map(refOf))].filter(ref => byRef.has(ref)).sort()
  }
}

function purlOf(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}

/** The digest of a package, from the form of package-lock.json. */
function hashOf(integrity: string): { alg: string; content: string } {
  const [, bits, base64] = /^sha(\d+)-(\S+)/.exec(integrity) ?? []
  if (bits === undefined || base64 === undefined) throw new Error(`no SHA digest: ${integrity}`)
  return { alg: `SHA-${bits}`, content: Buffer.from(base64, 'base64').toString('hex') }
}

/** A UUID (version 8) of the content: the same packages have the same serial number. */
function serialNumberOf(content: string): string {
  const hex = createHash('sha256').update(content).digest('hex')
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`]
  return `urn:uuid:${parts.join('-')}-${hex.slice(20, 32)}`
}

if (import.meta.main) {
  const file = process.argv[2] ?? join(root, 'dist/patio.cdx.json')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, billOfMaterials())
}
