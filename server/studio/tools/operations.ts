import type { FastifyInstance } from 'fastify'
import { pathAt } from '#contract/endpoint.ts'
import { callMcp } from '#contract/studio/tools.ts'
import { fail } from '#platform/fail.ts'
import type { Served } from '#platform/serve.ts'
import { mcp } from './mcp/call.ts'
import { open } from './packages/open.ts'
import { plugins } from './plugins/list-plugins.ts'
import { index } from './skills/index-skills.ts'
import { installAddress } from './skills/install-address.ts'

/** What tools read of the catalogue. */
export const toolOperations: Served[] = [mcp, index, installAddress, plugins, open]

/** MCP clients try to open a stream or to end a session: 405 tells them that there is neither. */
export async function toolRoutes(app: FastifyInstance): Promise<void> {
  app.route({
    method: ['GET', 'DELETE'],
    url: pathAt('tool', callMcp),
    handler: async (_request, reply) => {
      reply.header('Allow', 'POST')
      fail('METHOD_NOT_ALLOWED')
    },
  })
}
