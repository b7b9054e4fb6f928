import type { FastifyRequest } from 'fastify'
import { callMcp } from '#contract/studio/tools.ts'
import { fail } from '#platform/fail.ts'
import { stream } from '#platform/http/operation.ts'
import { findInvalidParam } from './check-params.ts'
import type { McpContext } from './mcp-context.ts'
import { buildServer, type Sdk } from './mcp-server.ts'

/** The Model Context Protocol over HTTP without sessions: each message gets its own server instance. */
export const mcp = stream(callMcp, async ({ db, caller, origin, services, body, request, reply }) => {
  assertOrigin(request, services.publicUrl)
  if (!isRpcId(body.id)) {
    fail('VALIDATION_ERROR', {
      details: [{ path: 'id', code: 'type', message: 'must be a string or an integer' }],
    })
  }
  const failures: unknown[] = []
  const response = await handleMessage({ db, caller, origin, services }, body, request, error =>
    failures.push(error),
  )
  // The database or the file store failed: reply with the usual error
  if (failures.length > 0) throw failures[0]
  const text = await response.text()
  reply.code(response.status)
  return text === '' ? reply.send() : reply.type('application/json; charset=utf-8').send(text)
})

// Loaded on first use, because many processes never serve a tool
let sdk: Promise<Sdk> | undefined

async function handleMessage(
  context: McpContext,
  body: { method: string; id?: string | number; params?: Record<string, unknown> },
  request: FastifyRequest,
  onFailure: (error: unknown) => void,
): Promise<Response> {
  // There are no subscriptions: the server sends no notifications
  if (body.method === 'subscriptions/listen') return errorResponse(body.id, -32_601, 'Method not found')
  const invalid = findInvalidParam(body.method, body.params)
  if (invalid !== undefined) return errorResponse(body.id, -32_602, `The parameter ${invalid} is invalid.`)
  sdk ??= import('@modelcontextprotocol/server')
  const { createMcpHandler, isLegacyRequest, WebStandardStreamableHTTPServerTransport: Transport } = await sdk
  const build = async () => buildServer(await sdk!, context, onFailure)
  const message = new Request(`${context.services.publicUrl}/mcp`, {
    method: 'POST',
    headers: protocolHeaders(request),
  })
  if (!(await isLegacyRequest(message, body))) {
    const handler = createMcpHandler(build, { legacy: 'reject' })
    return handler.fetch(message, { parsedBody: body })
  }
  const server = await build()
  const transport = new Transport({ sessionIdGenerator: undefined, enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(message, { parsedBody: body })
  } finally {
    await server.close()
  }
}

/** The headers that the protocol uses. The reply is always JSON, whatever the client accepts. */
function protocolHeaders({ headers }: FastifyRequest): Record<string, string> {
  const forwarded = ['mcp-protocol-version', 'mcp-method', 'mcp-name'].flatMap(name => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value]] : []
  })
  return {
    ...Object.fromEntries(forwarded),
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
}

function errorResponse(id: string | number | undefined, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: id ?? null, error: { code, message } })
}

/** Rejects requests that pages of other sites send through a browser. MCP specification, Transports, Security. */
function assertOrigin({ headers: { origin } }: FastifyRequest, publicUrl: string): void {
  if (origin !== undefined && origin !== new URL(publicUrl).origin) fail('ORIGIN_NOT_ALLOWED')
}

function isRpcId(id: unknown): boolean {
  return id === undefined || typeof id === 'string' || Number.isSafeInteger(id)
}
