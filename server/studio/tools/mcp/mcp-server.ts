import type { Server, StandardSchemaV1 } from '@modelcontextprotocol/server'
import { getPrompt, listPrompts } from '../prompts/mcp-prompts.ts'
import { listResources, listTemplates, readResource } from '../resources/mcp-resources.ts'
import { getSkill, listSkills, skillsExtension } from '../skills/mcp-skills.ts'
import type { McpContext } from './mcp-context.ts'
import { RpcError } from './rpc-error.ts'

export type Sdk = typeof import('@modelcontextprotocol/server')

const capabilities = { prompts: {}, resources: {}, extensions: { [skillsExtension]: {} } }
const instructions =
  'The published prompts, commands, skills, agents and plugins of an organization, read-only. Skills are resources ' +
  'under skill://, everything else under patio://assets/.'

/**
 * Builds the server for one call of one caller. Unexpected errors go to `onFailure`; the client only learns that the call
 * failed.
 */
export function buildServer(sdk: Sdk, context: McpContext, onFailure: (error: unknown) => void): Server {
  const server = new sdk.Server(
    { name: 'patio', title: 'Patio', version: '1' },
    { capabilities, instructions },
  )

  /** Turns an RpcError into a protocol error, and anything else into an internal error. */
  async function guarded<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof RpcError) throw new sdk.ProtocolError(error.code, error.message, error.data)
      onFailure(error)
      throw new sdk.ProtocolError(-32_603, 'Internal error')
    }
  }

  server.setRequestHandler('prompts/list', ({ params }) =>
    guarded(() => listPrompts(context, params?.cursor)),
  )
  server.setRequestHandler('prompts/get', ({ params }) => guarded(() => getPrompt(context, params)))
  server.setRequestHandler('resources/list', ({ params }) =>
    guarded(() => listResources(context, params?.cursor)),
  )
  server.setRequestHandler('resources/templates/list', listTemplates)
  server.setRequestHandler('resources/read', ({ params }) => guarded(() => readResource(context, params.uri)))
  server.setRequestHandler('skills/list', { params: textParams }, ({ cursor }) =>
    guarded(() => listSkills(context, cursor)),
  )
  server.setRequestHandler('skills/get', { params: textParams }, ({ uri = '' }) =>
    guarded(() => getSkill(context, uri)),
  )
  return server
}

/** The schema of methods that the SDK does not know. `findInvalidParam` has checked the parameters. */
const textParams: StandardSchemaV1<unknown, { cursor?: string; uri?: string }> = {
  '~standard': {
    version: 1,
    vendor: 'patio',
    validate: value => ({ value: (value ?? {}) as { cursor?: string; uri?: string } }),
  },
}
