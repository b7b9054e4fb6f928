import Type, { type Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { FreeObject, Id, OneOf, Text, Time } from '../shapes.ts'
import { packageProfiles } from './packages.ts'

/**
 * What tools read of the catalogue: published assets that the person of the token may read, with the content of the
 * version that was published last.
 */
const studio = { area: 'studio', module: 'studio' } as const
const byTool = { personalToken: { permission: 'STUDIO_VIEW' } } as const

const RpcVersion = OneOf(['2.0'])
/** JSON-RPC ids are texts or whole numbers; a notification has none. */
const RpcId = Type.Unsafe<string | number>({
  description: 'A text or a whole number; none in a notification',
})

/** The Model Context Protocol, Streamable HTTP: https://modelcontextprotocol.io/specification/2026-07-28. */
export const callMcp = operation('POST /mcp', {
  ...studio,
  summary: 'Speak the Model Context Protocol (Streamable HTTP)',
  description:
    'One JSON-RPC message, one answer in JSON; there is no session, so any process answers. Offers prompts (PROMPT ' +
    'and COMMAND assets), resources (every asset and its attachments) and the skills extension; no tools. Getting a ' +
    'prompt or reading an asset records a use. Knows the protocol from 2024-11-05 to 2026-07-28. What is wrong with ' +
    'a call is told as JSON-RPC does, what is wrong with the request as everywhere. A notification answers 202.',
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

/** One skill of the index. `url` leads to one file, whose bytes have the digest. */
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
  summary: 'Index of the published skills, for installers',
  description:
    'Agent Skills discovery 0.2.0: a skill of one file is a `skill-md`, any other an archive with `SKILL.md` at its ' +
    `top. The addresses work for about an hour. At most ${limits.toolCatalogue} skills, most popular first.`,
  auth: { ...byTool, personalTokenInUrl: { permission: 'STUDIO_VIEW' } },
  reply: SkillIndex,
})

/** For installers that send no headers, as `npx skills` does. */
export const makeInstallAddress = operation('GET /install-address', {
  ...studio,
  summary: 'Make an address for an installer that sends no headers',
  description:
    'Below it lies the index of skills. It works without a token, for anybody who has it, for ' +
    `${limits.toolAddressMinutes} minutes and no longer than the token by which it was made.`,
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

/** The file that Claude Code reads to know a marketplace of plugins. */
export const listPlugins = operation('GET /.claude-plugin/marketplace.json', {
  ...studio,
  summary: 'The published assets as a marketplace of Claude Code plugins',
  description:
    'Each published SKILL, AGENT, COMMAND and PLUGIN is one plugin, as an archive. Asked with `Authorization: Bearer` ' +
    'the archives lie behind the same token; asked otherwise, their addresses are signed and work for about an hour. ' +
    `At most ${limits.toolCatalogue} plugins, most popular first.`,
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

/** Where index and marketplace lead. */
export const openPackage = operation('GET /packages/:versionId/:file', {
  ...studio,
  summary: 'A published version as tools install it',
  description:
    'A ZIP without a folder around it under whatever name, or `SKILL.md` alone when that is the name. With a token, or ' +
    'by an address that index or marketplace signed: that one works for anybody who has it.',
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
