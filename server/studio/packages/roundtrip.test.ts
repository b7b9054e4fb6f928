import { Readable } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { limits } from '#contract/limits.ts'
import { type AssetType, assetTypes } from '#contract/studio/assets.ts'
import { packageLayouts, packageProfiles } from '#contract/studio/packages.ts'
import { defined } from '#tests/support/elements.ts'
import { sha256Of } from '#tests/support/studio/files.ts'
import { objectionsTo, objectionsToManifest } from '#tests/support/studio/skill-rules.ts'
import { filesIn, zipOfFiles } from '#tests/support/studio/zip.ts'
import { contentHash } from '../assets/asset.rules.ts'
import { normalizePath } from '../files/file.rules.ts'
import { openArchive } from './archive/open-archive.ts'
import { memorySpool } from './archive/spool.ts'
import { readEntryBytes } from './archive/unpack-entry.ts'
import { writeArchive } from './archive/write-archive.ts'
import { isObject } from './frontmatter/portable-frontmatter.ts'
import { writeYaml } from './frontmatter/write-yaml.ts'
import { interpretPackage } from './interpret.ts'
import { type PackageOptions, packageFilesOf, type StoredFile } from './package-files.ts'
import type { PackagedAsset } from './packaged-asset.ts'

type Attachment = { path: string; content: Buffer }

/** The archive of an asset. The source of the attachments makes no difference. */
async function zipped(
  asset: PackagedAsset,
  attachments: readonly Attachment[],
  options: PackageOptions,
): Promise<Buffer> {
  const bytes = new Map<string, Buffer>()
  const files: StoredFile[] = attachments.map(({ path, content }) => {
    const sha256 = sha256Of(new Uint8Array(content))
    bytes.set(sha256, content)
    return { path, sha256, size: content.length }
  })
  const contents = packageFilesOf({ ...asset, contentHash: contentHash(asset) }, files, options)
  const archive = await writeArchive(contents, {
    open: async sha256 => Readable.from([defined(bytes.get(sha256))]),
  })
  return Buffer.concat(await archive.toArray())
}

async function read(zip: Buffer) {
  const archive = await openArchive(memorySpool(zip), { maxFileBytes: limits.packageFileBytes })
  const { packaged, attachments: entries, errors, warnings } = await interpretPackage(archive)
  const attachments: Attachment[] = []
  for (const { path, entry } of entries)
    attachments.push({ path, content: await readEntryBytes(archive, entry) })
  return { packaged, attachments, errors, warnings }
}

const word = fc.string({
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789'),
  minLength: 1,
  maxLength: 8,
})
const slug = fc
  .array(word, { minLength: 1, maxLength: 4 })
  .map(words => words.join('-'))
  .filter(name => name !== 'attached')
const line = fc
  .string({ unit: 'grapheme', maxLength: 40 })
  .filter(text => /[^\p{Z}]/u.test(text) && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text) && text.isWellFormed())
const text = fc
  .oneof(
    fc.string({ unit: 'grapheme' }),
    fc.lorem({ mode: 'sentences' }),
    fc
      .array(
        fc.constantFrom('---', '\n', '\r\n', '# T', ' ', '\ufeff', 'a: b', '<x>', "'", '"', '|', '- ', '\t'),
      )
      .map(parts => parts.join('')),
  )
  .map(value => value.replaceAll('\0', '').toWellFormed())
const key = fc.oneof(
  word,
  fc.constantFrom(
    'name',
    'description',
    'license',
    'metadata',
    'allowed-tools',
    'compatibility',
    'version',
    'tags',
  ),
  fc.constantFrom(
    'color',
    'title',
    'keywords',
    'author',
    'extensions',
    '$schema',
    'displayName',
    'a b',
    '1',
    'yes',
  ),
)
const value = fc.oneof(
  text,
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.oneof(text, fc.integer()), { maxLength: 3 }),
  fc.dictionary(
    fc.oneof(word, fc.constantFrom('version', 'title', 'tags', 'icon', 'color', 'dev.patio')),
    text,
    {
      maxKeys: 4,
    },
  ),
)
const asset: fc.Arbitrary<PackagedAsset> = fc
  .record({
    type: fc.constantFrom<AssetType>(...assetTypes),
    slug,
    name: line,
    description: text,
    version: fc.constantFrom('1.0.0', '1.2.3', '2.0.0-rc.1', '0.0.1'),
    changelog: fc.option(text),
    tags: fc.uniqueArray(fc.oneof(word, fc.constantFrom('a,b', 'c d', 'ñ')), { maxLength: 4 }),
    iconName: fc.option(fc.oneof(word, fc.constantFrom('', ' x '))),
    color: fc.option(fc.constantFrom('red', '210 40% 50%', 'hsl(120, 50%, 50%)', 'var(--x)', '')),
    bodyMarkdown: text,
    frontmatter: fc.dictionary(key, value, { maxKeys: 6 }),
  })
  .map(source => ({
    ...source,
    frontmatter: JSON.parse(JSON.stringify(source.frontmatter)),
    frontmatterText: null,
  }))

const part = fc.oneof(word, fc.constantFrom('Ünïcode', 'a b', 'x.md', 'SKILL', '.hidden', 'con', 'trailing.'))
const anyPath = fc
  .oneof(
    fc.array(part, { minLength: 1, maxLength: 4 }).map(parts => parts.join('/')),
    fc.constantFrom(
      'SKILL.md',
      'skill.md',
      'SKILL.md/x',
      'plugin.json',
      'README.md',
      'asset-studio.json',
      'agents',
    ),
    fc.constantFrom(
      'commands/x.md',
      'agents/y.md',
      'scripts/run.sh',
      'a/scripts/x',
      '.claude-plugin/plugin.json',
    ),
  )
  .filter(path => normalizePath(path) === path)
/** Attachment paths that no importer confuses with other files when there is no sidecar. */
const plainPath = fc
  .tuple(fc.constantFrom('references', 'assets', 'scripts'), fc.array(part, { minLength: 1, maxLength: 3 }))
  .map(([first, parts]) => [first, ...parts].join('/'))

function attachments(path: fc.Arbitrary<string>) {
  const content = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map(bytes => Buffer.from(bytes)),
    text.map(Buffer.from),
  )
  return fc
    .uniqueArray(fc.record({ path, content }), { maxLength: 5, selector: file => file.path })
    .map(files => files.filter(one => !files.some(other => other.path.startsWith(`${one.path}/`))))
}

const layout = fc.constantFrom(...packageLayouts)
const profile = fc.constantFrom(...packageProfiles)

function sorted(files: readonly Attachment[]): Attachment[] {
  return [...files].sort((a, b) => (a.path < b.path ? -1 : 1))
}

test('a package with its sidecar restores everything and exports to the same bytes', async () => {
  await fc.assert(
    fc.asyncProperty(asset, attachments(anyPath), layout, profile, async (source, files, layout, profile) => {
      const options = { layout, profile, sidecar: true }
      const zip = await zipped(source, files, options)
      const { packaged, attachments, errors, warnings } = await read(zip)
      expect(errors).toEqual([])
      expect(warnings.filter(({ code }) => code.startsWith('sidecar'))).toEqual([])
      expect(packaged).toEqual(source)
      expect(attachments).toEqual(sorted(files))
      expect((await zipped(defined(packaged), attachments, options)).equals(zip)).toBe(true)
    }),
    { numRuns: 250 },
  )
})

test.each(['---\nx\n---\ny', '---', '---js\n', '\ufeffx', '\n\nx', '\r\nx', '', '# T'])(
  'a text without front matter stays as it is: %j',
  async bodyMarkdown => {
    const nothing = { description: '', changelog: null, tags: [], iconName: null, color: null }
    const named = { slug: 'plain', name: 'plain', version: '1.0.0', frontmatter: {}, frontmatterText: null }
    for (const type of ['COMMAND', 'PROMPT'] as const) {
      for (const sidecar of [true, false]) {
        const source = { ...nothing, ...named, type, bodyMarkdown }
        const options = { layout: 'flat', profile: 'agent-skills', sidecar } as const
        const { packaged } = await read(await zipped(source, [], options))
        expect(packaged?.bodyMarkdown).toBe(bodyMarkdown)
      }
    }
  },
)

test('a package without a sidecar exports to the same bytes', async () => {
  await fc.assert(
    fc.asyncProperty(
      asset,
      attachments(plainPath),
      layout,
      profile,
      async (source, files, layout, profile) => {
        const options = { layout, profile, sidecar: false }
        const zip = await zipped(source, files, options)
        const { packaged, attachments, errors } = await read(zip)
        expect(errors).toEqual([])
        expect(packaged).toMatchObject({ type: source.type, slug: source.slug })
        expect(attachments).toEqual(sorted(files))
        expect((await zipped(defined(packaged), attachments, options)).equals(zip)).toBe(true)
      },
    ),
    { numRuns: 250 },
  )
})

test('every client accepts an exported skill, and exported plugins match the schema', async () => {
  const options = { layout: 'wrapped', profile: 'agent-skills' } as const
  await fc.assert(
    fc.asyncProperty(asset, attachments(plainPath), fc.boolean(), async (source, files, sidecar) => {
      const unpacked = await filesIn(await zipped(source, files, { ...options, sidecar }))
      if (source.type === 'SKILL') expect(objectionsTo(unpacked)).toEqual([])
      if (source.type === 'PLUGIN')
        expect(objectionsToManifest(`${unpacked[`${source.slug}/plugin.json`]}`)).toEqual([])
    }),
    { numRuns: 250 },
  )
})

test('an imported skill that was changed here is understood elsewhere without a sidecar', async () => {
  const change = fc.record({
    slug,
    name: word,
    description: fc.lorem(),
    version: fc.constantFrom('1.0.0', '3.1.4'),
    tags: fc.uniqueArray(word, { minLength: 1, maxLength: 3 }),
    iconName: word,
    color: fc.constantFrom('red', '210 40% 50%'),
    bodyMarkdown: text,
  })
  const comment = fc.constantFrom('', '# about it\n', '\n')
  await fc.assert(
    fc.asyncProperty(asset, comment, change, profile, async (source, comment, change, profile) => {
      const front = `${comment}${writeYaml({ ...source.frontmatter, description: 'Given' })}${comment}`
      const zip = zipOfFiles({ 'SKILL.md': `---\n${front}---\n${source.bodyMarkdown}` })
      const packaged = defined((await read(zip)).packaged)
      const changed = { ...packaged, ...change }
      const again = await read(await zipped(changed, [], { layout: 'wrapped', profile, sidecar: false }))
      // Metadata that is a string has no room for more
      const isBlocked = !isObject(packaged.frontmatter.metadata ?? {})
      if (!isBlocked) expect(again.packaged).toMatchObject(change)
      else expect(again.packaged).toMatchObject({ slug: change.slug, description: change.description })
    }),
    { numRuns: 250 },
  )
})
