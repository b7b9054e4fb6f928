import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readAsset, updateAsset } from '#contract/studio/assets.ts'
import { createVersion } from '#contract/studio/versions.ts'
import { defined } from '#tests/support/elements.ts'
import { exportPackage, importPackage } from '#tests/support/studio/packages.ts'
import { objectionsTo, objectionsToManifest } from '#tests/support/studio/skill-rules.ts'
import { filesIn, zipOfFiles } from '#tests/support/studio/zip.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'

function nested(depth: number): object {
  return depth === 0 ? {} : { a: nested(depth - 1) }
}

let server: TestServer
let author: Person
beforeAll(async () => {
  server = await startTestServer()
  author = await person()
})
afterAll(() => server.close())

const person = async () => (await server.organization()).person()
const sidecar = false
const fixtures = join(import.meta.dirname, '../../../tests/fixtures/packages')
const skills = globSync('*/*/SKILL.md', { cwd: fixtures }).map(dirname).sort()

/** The files of a fixture in a folder of its name. */
function fixture(folder: string): Record<string, Buffer> {
  const root = join(fixtures, folder)
  const paths = globSync('**/*', { cwd: root, withFileTypes: true }).filter(entry => entry.isFile())
  return Object.fromEntries(
    paths.map(entry => {
      const path = join(entry.parentPath, entry.name)
      return [`${basename(folder)}/${relative(root, path)}`, readFileSync(path)]
    }),
  )
}

describe('a third-party skill', () => {
  it('is among the fixtures', () => expect(skills).toHaveLength(5))

  it.each(skills)('%s comes out as it went in, and is taken by every client', async folder => {
    const files = fixture(folder)
    const imported = await importPackage(author, files)
    expect(imported).toMatchObject({ type: 'SKILL', slug: basename(folder), warnings: [] })
    for (const profile of ['agent-skills', 'claude-code'] as const) {
      const zip = await exportPackage(author, imported.id, { profile, sidecar })
      expect(await filesIn(zip)).toEqual(files)
      const elsewhere = await person()
      for (const options of [{ profile }, { profile, sidecar }, { profile, layout: 'flat' as const }]) {
        const first = await exportPackage(author, imported.id, options)
        const again = await importPackage(elsewhere, first)
        if (again.slug !== imported.slug) continue
        expect((await exportPackage(elsewhere, again.id, options)).equals(first)).toBe(true)
      }
    }
    expect(objectionsTo(await filesIn(await exportPackage(author, imported.id)))).toEqual([])
  })

  const odd = `---
# what this is
version: 1.10   # of the file
name: odd-one
license: 'MIT' # see there
hooks:
  PreToolUse: [{ matcher: "Bash", hooks: [{type: command, command: ./x.sh}] }]
description: >-
  Folded text
  over lines.
metadata:
  author: me
  count: 007
---


# Two empty lines above
`

  it('keeps comments, order and spelling of its front matter', async () => {
    const { id } = await importPackage(author, {
      'odd-one/SKILL.md': odd,
      'odd-one/hooks/x.sh': '#!/bin/sh\n',
    })
    const asset = await author.call(readAsset, { params: { id } })
    expect(Object.keys(asset.frontmatter)).toEqual([
      'version',
      'name',
      'license',
      'hooks',
      'description',
      'metadata',
    ])
    expect(asset.frontmatter).toMatchObject({ version: '1.10', metadata: { author: 'me', count: '007' } })
    expect(asset).toMatchObject({ version: '1.10.0', description: 'Folded text over lines.' })
    const files = await filesIn(await exportPackage(author, id, { profile: 'claude-code', sidecar }))
    expect(`${files['odd-one/SKILL.md']}`).toBe(odd)

    const strict = await filesIn(await exportPackage(author, id, { sidecar }))
    expect(objectionsTo(strict)).toEqual([])
    expect(`${strict['odd-one/SKILL.md']}`).toBe(`---
name: odd-one
license: 'MIT' # see there
description: >-
  Folded text over lines.
metadata:
  author: me
  count: "007"
  version: "1.10.0"
  hooks: "{\\"PreToolUse\\":[{\\"matcher\\":\\"Bash\\",\\"hooks\\":[{\\"type\\":\\"command\\",\\"command\\":\\"./x.sh\\"}]}]}"
---


# Two empty lines above
`)
  })

  it('exports the changed fields and keeps the rest', async () => {
    const { id } = await importPackage(author, { 'edited/SKILL.md': odd.replace('odd-one', 'edited') })
    const body = { description: 'Another: one', name: 'Edited twice', slug: 'edited-twice' }
    await author.call(updateAsset, { params: { id }, body })
    await author.call(createVersion, { params: { id }, body: { version: '2.0.0' } })
    const { 'edited-twice/SKILL.md': text } = await filesIn(
      await exportPackage(author, id, { profile: 'claude-code', sidecar }),
    )
    expect(`${text}`).toBe(`---
# what this is
version: "2.0.0" # of the file
name: edited-twice
license: 'MIT' # see there
hooks:
  PreToolUse: [ { matcher: "Bash", hooks: [ { type: command, command: ./x.sh } ] } ]
description: "Another: one"
metadata:
  author: me
  count: 007
  title: Edited twice
---


# Two empty lines above
`)
    const elsewhere = await person()
    const again = await importPackage(elsewhere, { 'edited-twice/SKILL.md': defined(text) })
    expect(again).toMatchObject({
      slug: 'edited-twice',
      name: 'Edited twice',
      currentVersion: { version: '2.0.0' },
    })
  })

  it('gets its own front matter once that is changed', async () => {
    const { id } = await importPackage(author, { 'anew/SKILL.md': odd.replace('odd-one', 'anew') })
    await author.call(updateAsset, {
      params: { id },
      body: { frontmatter: { license: 'ISC', 'allowed-tools': ['A', 'B'] } },
    })
    const { 'anew/SKILL.md': text } = await filesIn(await exportPackage(author, id, { sidecar }))
    expect(`${text}`).toBe(`---
name: anew
description: Folded text over lines.
license: ISC
allowed-tools: A B
metadata:
  title: anew
  version: "1.10.1"
---


# Two empty lines above
`)
  })

  it('keeps line endings and byte order marks where clients support them', async () => {
    const text = '\ufeff---\r\nname: windows\r\ndescription: From Windows\r\n---\r\n\r\nBody\r\n'
    const { id } = await importPackage(author, { 'windows/SKILL.md': text })
    const of = async (profile: 'agent-skills' | 'claude-code') =>
      `${(await filesIn(await exportPackage(author, id, { profile, sidecar })))['windows/SKILL.md']}`
    expect(await of('claude-code')).toBe(text)
    expect(await of('agent-skills')).toBe('---\nname: windows\ndescription: From Windows\n---\n\nBody\r\n')
  })

  it('quotes values that some clients would not read as strings', async () => {
    const text = (updated: string, draft: string) =>
      `---\nname: words\ndescription: d\nmetadata:\n  updated: ${updated} # then\n  draft: ${draft}\n---\n\nBody`
    const { id } = await importPackage(author, { 'words/SKILL.md': text('2024-01-01', 'yes') })
    const files = await filesIn(await exportPackage(author, id, { sidecar }))
    expect(`${files['words/SKILL.md']}`).toBe(text('"2024-01-01"', '"yes"'))
  })

  it('quotes values that need it', async () => {
    const text = '---\nname: colon\ndescription: Use it: now # really\nother: 1 # kept\n---\nBody'
    const { id } = await importPackage(author, { 'colon/SKILL.md': text })
    const files = await filesIn(await exportPackage(author, id, { profile: 'claude-code', sidecar }))
    expect(`${files['colon/SKILL.md']}`).toBe(
      '---\nname: colon\ndescription: "Use it: now # really"\nother: 1 # kept\n---\n\nBody',
    )
  })
})

describe('a third-party plugin', () => {
  const claude =
    '{ "name": "acme-pdf",\n  "version": "1.0",\n  "author": {"name": "A", "x": 1}, "hooks": "./h.json" }'
  const portable =
    '{"$schema":"https://agent-plugins.org/schemas/1.0.0/plugin.schema.json","name":"acme-pdf"}\n'
  const tree = {
    'acme-pdf/skills/a/SKILL.md': '---\nname: a\ndescription: d\n---\n',
    'acme-pdf/skills/a/scripts/x.sh': '#!/bin/sh\n',
    'acme-pdf/agents/b.md': 'no front matter',
    'acme-pdf/mcp.json': '{}',
    'acme-pdf/LICENSE': 'MIT',
    'acme-pdf/README.md': '# Acme\r\n',
  }

  it.each([
    ['both manifests', { '.claude-plugin/plugin.json': claude, 'plugin.json': portable }],
    ['Claude Code manifest', { '.claude-plugin/plugin.json': claude }],
    ['Agent Plugins manifest', { 'plugin.json': portable }],
    ['none', {}],
  ])('keeps its whole tree, with %s', async (_, manifests) => {
    const elsewhere = await person()
    const own = Object.entries(manifests).map(([path, text]) => [`acme-pdf/${path}`, text])
    const files = { ...tree, ...Object.fromEntries(own) } as Record<string, string>
    const { id } = await importPackage(elsewhere, files)
    for (const withSidecar of [true, false]) {
      const options = { sidecar: withSidecar }
      const zip = await exportPackage(elsewhere, id, options)
      const { 'acme-pdf/asset-studio.json': declared, ...unpacked } = await filesIn(zip)
      expect(declared !== undefined).toBe(withSidecar)
      for (const [path, text] of Object.entries(files)) expect(`${unpacked[path]}`, path).toBe(text)
      expect(Object.keys(unpacked)).toHaveLength(Object.keys(tree).length + 2)
      expect(objectionsToManifest(`${unpacked['acme-pdf/plugin.json']}`)).toEqual([])
      const another = await person()
      const again = await importPackage(another, zip)
      expect((await exportPackage(another, again.id, options)).equals(zip)).toBe(true)
    }
  })

  it('gets new manifests when it becomes another plugin', async () => {
    const { id } = await importPackage(author, { ...tree, 'acme-pdf/.claude-plugin/plugin.json': claude })
    const body = { name: 'Acme 2', tags: ['pdf'], iconName: 'owl', description: 'Anew' }
    await author.call(updateAsset, { params: { id }, body })
    const files = await filesIn(await exportPackage(author, id, { sidecar }))
    const own = { 'dev.patio': { title: 'Acme 2', icon: 'owl' } }
    expect(JSON.parse(`${files['acme-2/.claude-plugin/plugin.json']}`)).toEqual({
      name: 'acme-2',
      displayName: 'Acme 2',
      version: '1.0.1',
      description: 'Anew',
      keywords: ['pdf'],
      author: { name: 'A', x: 1 },
      hooks: './h.json',
      metadata: own,
    })
    expect(JSON.parse(`${files['acme-2/plugin.json']}`)).toEqual({
      $schema: 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json',
      name: 'acme-2',
      version: '1.0.1',
      description: 'Anew',
      keywords: ['pdf'],
      author: { name: 'A' },
      extensions: own,
    })
  })
})

describe('the manifests of a plugin', () => {
  it.each([
    ['description', { description: 'Anew' }, { description: 'Anew' }],
    ['tags', { tags: ['anew'] }, { keywords: ['anew'] }],
    ['icon', { iconName: 'owl' }, { metadata: { 'dev.patio': { icon: 'owl' } } }],
    ['color', { color: 'red' }, { metadata: { 'dev.patio': { color: 'red' } } }],
  ])('follow its %s', async (field, body, declared) => {
    const name = `with-${field}`
    const text = `{"name":"${name}","version":"1.0.0","hooks":"./h"}`
    const { id } = await importPackage(author, { [`${name}/.claude-plugin/plugin.json`]: text })
    const manifest = async () =>
      `${(await filesIn(await exportPackage(author, id, { sidecar })))[`${name}/.claude-plugin/plugin.json`]}`
    expect(await manifest()).toBe(text)
    await author.call(updateAsset, { params: { id }, body })
    expect(JSON.parse(await manifest())).toMatchObject({ name, hooks: './h', ...declared })
  })
})

describe('a sidecar', () => {
  const changed = async (change: (files: Record<string, string | Buffer>) => void) => {
    const elsewhere = await person()
    const { id } = await importPackage(elsewhere, {
      'kept/SKILL.md': '---\nname: kept\ndescription: d\n---\nBody',
      'kept/a.txt': 'a',
      'kept/b.txt': 'b',
    })
    const tags = ['one', 'two']
    await elsewhere.call(updateAsset, {
      params: { id },
      body: { tags, iconName: 'owl', name: 'Kept', changelog: 'c' },
    })
    const files: Record<string, string | Buffer> = await filesIn(await exportPackage(elsewhere, id))
    change(files)
    const another = await person()
    const imported = await importPackage(another, zipOfFiles(files))
    return { imported, asset: await another.call(readAsset, { params: { id: imported.id } }) }
  }
  const own = { name: 'Kept', slug: 'kept', tags: ['one', 'two'], iconName: 'owl' }

  it('restores what no other file contains', async () => {
    const { imported, asset } = await changed(() => {})
    expect(imported.warnings).toEqual([])
    expect(asset).toMatchObject({ ...own, frontmatter: { name: 'kept', description: 'd' } })
  })

  it('does not override a changed body', async () => {
    const { imported, asset } = await changed(files => {
      files['kept/SKILL.md'] = `${files['kept/SKILL.md']} and more`
    })
    expect(imported.warnings).toEqual([])
    expect(asset).toMatchObject({ ...own, bodyMarkdown: 'Body and more' })
  })

  it('loses against files that contradict it', async () => {
    const { imported, asset } = await changed(files => {
      files['kept/SKILL.md'] = `${files['kept/SKILL.md']}`.replace(
        /description: d/,
        'description: new\nlicense: MIT',
      )
    })
    expect(imported.warnings).toMatchObject([{ code: 'sidecar-differs', path: 'asset-studio.json' }])
    expect(asset).toMatchObject({ ...own, description: 'new', frontmatter: { license: 'MIT' } })
  })

  it('reports changed attachments', async () => {
    const { imported, asset } = await changed(files => {
      files['kept/a.txt'] = 'changed'
      delete files['kept/b.txt']
      files['kept/c.txt'] = 'c'
    })
    expect(imported.warnings.map(({ code, path }) => [code, path])).toEqual([
      ['sidecar-differs', 'b.txt'],
      ['sidecar-differs', 'a.txt'],
      ['sidecar-differs', 'c.txt'],
    ])
    expect(asset).toMatchObject(own)
    expect(imported.files.map(({ path }) => path)).toEqual(['a.txt', 'c.txt'])
  })

  it.each([
    ['no JSON', '{'],
    ['another shape', '{"type":"SKILL"}'],
    ['too deep', `{"frontmatter":${'['.repeat(100)}${']'.repeat(100)}}`],
    ['the key __proto__', '{"__proto__":{}}'],
  ])('that is %s is an attachment like any other', async (_, text) => {
    const { imported } = await changed(files => {
      files['kept/asset-studio.json'] = text
    })
    expect(imported.warnings).toMatchObject([{ code: 'sidecar-invalid' }])
    expect(imported.files.map(({ path }) => path)).toEqual(['a.txt', 'asset-studio.json', 'b.txt'])
  })

  it.each([
    ['NUL', { changelog: 'a\0b' }],
    ['a lone surrogate', { name: 'a\ud800' }],
    ['front matter that is too deep', { frontmatter: nested(40) }],
    ['front matter with __proto__', { frontmatter: JSON.parse('{"__proto__":{"a":1}}') }],
    ['a name that is too long', { name: 'x'.repeat(256) }],
    ['an invalid version', { version: '1' }],
    ['an invalid slug', { slug: '../x' }],
  ])('with %s is ignored', async (_, wrong) => {
    const { imported } = await changed(files => {
      const sidecar = JSON.parse(`${files['kept/asset-studio.json']}`)
      // A spread would set the prototype instead
      for (const [key, value] of Object.entries(wrong)) sidecar[key] = value
      files['kept/asset-studio.json'] = JSON.stringify(sidecar)
    })
    expect(imported.warnings).toMatchObject([{ code: 'sidecar-invalid' }])
    expect(imported).toMatchObject({ name: 'Kept', slug: 'kept' })
  })

  it('cannot assign one path to two files', async () => {
    const { imported } = await changed(files => {
      const sidecar = JSON.parse(`${files['kept/asset-studio.json']}`)
      sidecar.files[1] = { path: 'a.txt', sha256: '', packagedAs: 'b.txt' }
      files['kept/asset-studio.json'] = JSON.stringify(sidecar)
    })
    expect(imported.warnings[0]).toMatchObject({ code: 'sidecar-differs', path: 'asset-studio.json' })
    expect(imported.files.map(({ path }) => path)).toEqual(['a.txt', 'b.txt'])
  })

  it('cannot assign a forbidden path to a file', async () => {
    const files = { 'SKILL.md': '---\nname: x\ndescription: d\n---\n', 'a.txt': '' }
    const elsewhere = await person()
    const { id } = await importPackage(elsewhere, files)
    const unpacked: Record<string, string | Buffer> = await filesIn(
      await exportPackage(elsewhere, id, { layout: 'flat' }),
    )
    const declared = JSON.parse(`${unpacked['asset-studio.json']}`)
    declared.files[0] = { path: '../../evil', sha256: '', packagedAs: 'a.txt' }
    unpacked['asset-studio.json'] = JSON.stringify(declared)
    await expect(importPackage(elsewhere, unpacked)).rejects.toMatchObject({
      body: { errorCode: 'PACKAGE_INVALID', details: [{ code: 'path-invalid', path: '../../evil' }] },
    })
  })
})
