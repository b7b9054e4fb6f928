import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { FreeObject, Id, OneOf, Text, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { packageProfiles } from './packages.ts'

/**
 * The catalogue as developer tools read it: the published assets that the owner of the token may read, with the content of
 * the last published version.
 */
const studio = { area: 'studio', module: 'studio' } as const
const byTool = { personalToken: { permission: 'STUDIO_VIEW' } } as const

const RpcVersion = OneOf(['2.0'])
/** A JSON-RPC id is a string or an integer. A notification has none. */
const RpcId = Type.Unsafe<string | number>({
  description: 'A string or an integer; absent in a notification',
})

/** The Model Context Protocol, Streamable HTTP: https://modelcontextprotocol.io/specification/2026-07-28. */
export const callMcp = operation('POST /mcp', {
  ...studio,
  summary: 'Call the MCP server (Streamable HTTP)',
  description:
    'The Model Context Protocol: one JSON-RPC message per request, one reply in JSON, no sessions. Offers prompts (PROMPT ' +
    'and COMMAND assets), resources (every asset and its attachments) and the skills extension, but no tools. Getting a ' +
    'prompt or reading an asset records a use. Supports protocol versions from 2024-11-05 to 2026-07-28. An invalid call ' +
    'returns a JSON-RPC error, an invalid request the usual error reply. A notification returns 202.',
  auth: byTool,
  body: {
    jsonrpc: RpcVersion,
    id: Type.Optional(RpcId),
    method: Text(limits.rpcMethod, 1),
    params: Type.Optional(FreeObject),
  },
  reply: Type.Object({
    jsonrpc: RpcVersion,
    id: Type.Optional(RpcId),
    result: Type.Optional(FreeObject),
    error: Type.Optional(FreeObject),
  }),
  alternateReply: { status: 202, reply: Type.Object({}) },
  errors: ['ORIGIN_NOT_ALLOWED'],
})

/** One skill of the index. `url` is the address of one file, and `digest` the digest of its bytes. */
const IndexedSkill = Type.Object({
  name: Type.String(),
  type: OneOf(['skill-md', 'archive']),
  description: Type.String(),
  url: Type.String(),
  digest: Type.String({ description: '`sha256:` and 64 hexadecimal digits' }),
})
export type IndexedSkill = Static<typeof IndexedSkill>

/** The index of Agent Skills discovery 0.2.0. */
export const SkillIndex = Type.Object({ $schema: Type.String(), skills: Type.Array(IndexedSkill) })

/** Agent Skills discovery 0.2.0. */
export const indexSkills = operation('GET /.well-known/agent-skills/index.json', {
  ...studio,
  summary: 'List the published skills for installers',
  description:
    'Agent Skills discovery 0.2.0. A skill of one file has the type `skill-md`; any other is an archive with `SKILL.md` ' +
    `at its root. The addresses work for about an hour. At most ${limits.toolCatalogue} skills, most popular first.`,
  auth: { ...byTool, personalTokenInUrl: { permission: 'STUDIO_VIEW' } },
  reply: SkillIndex,
})

/** For installers that send no headers, as `npx skills` does. */
export const makeInstallAddress = operation('GET /install-address', {
  ...studio,
  summary: 'Create an address for installers that send no headers',
  description:
    'The index of skills is available below this address. The address works without a token for anyone who has it, for ' +
    `${limits.toolAddressMinutes} minutes and no longer than the token that created it.`,
  auth: byTool,
  reply: Type.Object({ url: Type.String(), expiresAt: Time }),
})

/** One plugin of the marketplace file. */
const ListedPlugin = Type.Object({
  name: Type.String(),
  description: Type.String(),
  version: Type.String(),
  category: Type.String(),
  tags: Type.Array(Type.String()),
  author: Type.Object({ name: Type.String() }),
  source: Type.Object({ source: OneOf(['archive']), url: Type.String(), sha256: Type.String() }),
})
export type ListedPlugin = Static<typeof ListedPlugin>

/** The file from which Claude Code reads a plugin marketplace. */
export const listPlugins = operation('GET /.claude-plugin/marketplace.json', {
  ...studio,
  summary: 'List the published assets as a Claude Code plugin marketplace',
  description:
    'Each published SKILL, AGENT, COMMAND and PLUGIN is one plugin, delivered as an archive. A request with ' +
    '`Authorization: Bearer` gets archive addresses that need the same token. Any other request gets signed addresses ' +
    `that work for about an hour. At most ${limits.toolCatalogue} plugins, most popular first.`,
  auth: byTool,
  reply: Type.Object({
    name: Type.String(),
    description: Type.String(),
    owner: Type.Object({ name: Type.String() }),
    plugins: Type.Array(ListedPlugin),
  }),
})

const FileName = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9.-]*$',
  maxLength: limits.packageFileName,
  description: 'Letters, digits, dots and hyphens',
})

/** The target of the addresses in the skill index and the plugin marketplace. */
export const openPackage = operation('GET /packages/:versionId/:file', {
  ...studio,
  summary: 'Download a published version for installation',
  description:
    'Returns a ZIP without an enclosing folder for any file name, or `SKILL.md` alone for that name. Requires a token or ' +
    'a signed address from the skill index or the plugin marketplace. A signed address works for anyone who has it.',
  auth: { ...byTool, public: true },
  params: { versionId: Id, file: FileName },
  query: {
    profile: OneOf(packageProfiles),
    organization: Type.Optional(Id),
    expires: Type.Optional(Type.Integer({ minimum: 0, maximum: 253_402_300_799 })),
    signature: Type.Optional(Text(200, 1)),
  },
  responseType: 'application/zip',
  alternateResponseType: 'text/markdown',
  errors: ['ASSET_NOT_FOUND', 'FILE_ADDRESS_INVALID'],
})
