import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { updateAsset } from '#contract/studio/assets.ts'
import { archiveAsset, publishAsset } from '#contract/studio/lifecycle.ts'
import { defined, only } from '#tests/support/elements.ts'
import { makeToken } from '#tests/support/identity/personal-tokens.ts'
import { connectMcp, publishedAsset } from '#tests/support/studio/tools.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
let author: Person
let client: Awaited<ReturnType<typeof connectMcp>>
let skills: SkillsClient
beforeAll(async () => {
  server = await startTestServer()
  author = await (await server.organization()).person()
  client = await connectMcp(server.url, await makeToken(author))
  // The SDK's own host rejects entries and files that violate the specification
  skills = new SkillsClient(client)
})
afterAll(async () => {
  await client?.close()
  await server?.close()
})

const uris = async () => (await skills.list()).skills.map(({ uri }) => uri)

test('the server declares the skills extension', () => {
  expect([skills.supported, skills.directoryRead]).toEqual([true, false])
})

describe('a skill', () => {
  test('is listed with its front matter and a digest of each file, which the files match', async () => {
    const { slug } = await publishedAsset(author, {
      type: 'SKILL',
      name: 'Ünïcode skill',
      description: 'Says "hello": to <everybody>',
      bodyMarkdown: '# Hällo\n\nSee [x](references/a b.md)\n',
      frontmatter: {
        license: 'MIT',
        'allowed-tools': 'Bash Read',
        when: '2026-01-01',
        metadata: { n: 1, yes: 'no', deep: { a: ['b'] } },
      },
      tags: ['greeting'],
      files: {
        'references/a b.md': '\ufeffé\r\n',
        'assets/x.bin': Uint8Array.from([0, 255, 254, 10]),
        'empty.txt': '',
      },
    })
    const skill = only((await skills.list()).skills)
    expect(skill).toEqual({
      uri: `skill://${slug}/SKILL.md`,
      frontmatter: expect.objectContaining({ name: slug, license: 'MIT', 'allowed-tools': 'Bash Read' }),
      resources: ['SKILL.md', 'assets/x.bin', 'empty.txt', 'references/a%20b.md'].map(path => ({
        uri: `skill://${slug}/${path}`,
        digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
        size: expect.any(Number),
      })),
    })
    expect((await skills.get(skill.uri)).skill).toEqual(skill)
    for (const { uri } of skill.resources as { uri: string }[]) {
      expect(await skills.read(skill, uri)).toMatchObject({ verified: true })
    }
    expect((await skills.read(skill)).body).toContain('# Hällo')
  })

  test('is listed with new digests after a change, which reveals outdated copies', async () => {
    const { id, slug } = await publishedAsset(author, { type: 'SKILL', name: 'Moving', bodyMarkdown: 'One' })
    const before = (await skills.get(`skill://${slug}/SKILL.md`)).skill
    await author.call(updateAsset, { params: { id }, body: { bodyMarkdown: 'Two' } })
    expect((await skills.get(before.uri)).skill).toEqual(before)
    await author.call(publishAsset, { params: { id } })
    const after = (await skills.get(before.uri)).skill
    expect(after.resources).not.toEqual(before.resources)
    await expect(skills.read(before)).rejects.toThrow()
    expect(defined((await skills.read(after)).body).trim()).toBe('Two')
  })

  test('is listed by its current name only, and only while it is published', async () => {
    const { id, slug } = await publishedAsset(author, { type: 'SKILL', name: 'Before' })
    await author.call(updateAsset, { params: { id }, body: { name: 'After' } })
    await expect(skills.get(`skill://${slug}/SKILL.md`)).rejects.toThrow('This skill does not exist')
    expect(await uris()).toContain('skill://after/SKILL.md')
    await author.call(archiveAsset, { params: { id } })
    expect(await uris()).not.toContain('skill://after/SKILL.md')
    await expect(skills.get('skill://after/SKILL.md')).rejects.toThrow('This skill does not exist')
  })

  test('that clients need not support is not listed', async () => {
    const { slug, currentVersionId } = await publishedAsset(author, {
      type: 'SKILL',
      name: 'Too heavy',
      files: { 'a.bin': 'a' },
    })
    await server.sql('update asset_file set size = 16777216 where version_id = $1', [currentVersionId])
    expect(await uris()).not.toContain(`skill://${slug}/SKILL.md`)
    await expect(skills.get(`skill://${slug}/SKILL.md`)).rejects.toThrow('This skill does not exist')
  })

  test('is not created by the URI scheme: other assets are not skills', async () => {
    const { slug } = await publishedAsset(author, { type: 'AGENT', name: 'No skill' })
    await publishedAsset(author, { type: 'SKILL', name: 'A skill', files: { 'a.md': 'a' } })
    for (const uri of [
      `skill://${slug}/SKILL.md`,
      `patio://assets/${slug}`,
      'skill://a-skill/a.md',
      'skill://a-skill',
      'skill://nobodys/SKILL.md',
    ])
      await expect(skills.get(uri)).rejects.toThrow('This skill does not exist')
  })
})

test('a long list has pages', async () => {
  const writer = await (await server.organization()).person()
  for (let at = 0; at < 27; at++) await publishedAsset(writer, { type: 'SKILL', name: `Skill ${at}` })
  const other = await connectMcp(server.url, await makeToken(writer))
  const pages = new SkillsClient(other)
  const first = await pages.list({ cursor: Buffer.from('0.0').toString('base64url') })
  expect([first.skills.length, first.nextCursor !== undefined]).toEqual([25, true])
  expect(new Set((await pages.list()).skills.map(({ uri }) => uri)).size).toBe(27)
  await other.close()
})
