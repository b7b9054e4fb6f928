import { createPersonalToken } from '#contract/identity/personal-tokens.ts'
import type { AssetType } from '#contract/studio/assets.ts'
import { createAsset } from '#contract/studio/assets.ts'
import { publishAsset } from '#contract/studio/lifecycle.ts'
import { listPlugins } from '#contract/studio/tools.ts'
import { firstOf } from '#tests/support/elements.ts'
import type { Call } from './ask.ts'
import { type Home, personalToken } from './home.ts'

type Fixture = (home: Home) => Promise<Call | Call[]>

let count = 0

/** Publishes an asset that tools may read. Returns its slug. */
async function publishTool({ owner, secret }: Home, type: AssetType): Promise<string> {
  const made = await owner.call(createAsset, {
    body: {
      type,
      name: `Tool ${secret} ${++count}`,
      description: `For ${secret}`,
      bodyMarkdown: `Written in ${secret}: $ARGUMENTS`,
    },
  })
  await owner.call(publishAsset, { params: { id: made.id } })
  return made.slug
}

/** Tokens per person are limited. Deletes all except the one that the invariants use. */
async function deleteOtherTokens({ server, owner }: Home): Promise<void> {
  await personalToken(owner)
  await server.sql(`delete from personal_token where person_id = $1 and name <> 'Of a test'`, [owner.id])
}

const rpc = (method: string, params?: object): Call => ({ body: { jsonrpc: '2.0', id: 1, method, params } })

/** A call of the first package in the plugin marketplace, by its signed address. */
async function signedPackage({ server, owner }: Home): Promise<Call> {
  const authorization = `Basic ${btoa(`patio:${await personalToken(owner)}`)}`
  const answer = await fetch(`${server.url}${listPlugins.path}`, { headers: { authorization } })
  const { plugins } = (await answer.json()) as { plugins: { source: { url: string } }[] }
  const { pathname, searchParams } = new URL(firstOf(plugins).source.url)
  const [versionId, file] = pathname.split('/').slice(-2)
  const { expires, ...query } = Object.fromEntries(searchParams)
  return { params: { versionId, file }, query: { ...query, expires: Number(expires) } }
}

export const toolFixtures: Record<string, Fixture> = {
  createPersonalToken: async home => {
    await deleteOtherTokens(home)
    return { body: { name: home.name('Token'), expiresInDays: 30 } }
  },
  listPersonalTokens: async home => {
    await deleteOtherTokens(home)
    await home.owner.call(createPersonalToken, { body: { name: `Token ${home.secret}` } })
    return { query: { limit: 100, offset: 0 } }
  },
  revokePersonalToken: async home => {
    await deleteOtherTokens(home)
    const { id } = await home.owner.call(createPersonalToken, { body: { name: `Token ${home.secret}` } })
    return { params: { id } }
  },
  callMcp: async home => {
    const [prompt, skill] = [await publishTool(home, 'PROMPT'), await publishTool(home, 'SKILL')]
    return [
      rpc('initialize', {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'invariant', version: '1' },
      }),
      rpc('prompts/list'),
      rpc('prompts/get', { name: prompt, arguments: { arguments: home.mark } }),
      rpc('resources/list'),
      rpc('resources/read', { uri: `skill://${skill}/SKILL.md` }),
      rpc('resources/read', { uri: `patio://assets/${prompt}` }),
      rpc('skills/list', {}),
      rpc('skills/get', { uri: `skill://${skill}/SKILL.md` }),
    ]
  },
  indexSkills: async home => {
    await publishTool(home, 'SKILL')
    return {}
  },
  makeInstallAddress: async () => ({}),
  listPlugins: async home => {
    await publishTool(home, 'AGENT')
    return {}
  },
  openPackage: async home => {
    await publishTool(home, 'COMMAND')
    return signedPackage(home)
  },
}
