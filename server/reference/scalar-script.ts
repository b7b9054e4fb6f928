import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import scalar from '@scalar/fastify-api-reference'
import Fastify from 'fastify'

export type ScalarScript = { brotli: Uint8Array; gzip: Uint8Array; version: string }

/**
 * The script of the reference page, compressed. The package only offers it through a route of its plugin.
 * Compressing takes a second and 30 MB, so it happens once, in a separate thread.
 */
export async function readScalarScript(): Promise<ScalarScript> {
  const app = Fastify()
  await app.register(scalar, { routePrefix: '/docs', configuration: { url: '/api/openapi.json' } })
  const { rawPayload: script } = await app.inject('/docs/js/scalar.js')
  await app.close()
  const params = { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_SIZE_HINT]: script.length }
  return {
    brotli: brotliCompressSync(script, { params }),
    gzip: gzipSync(script),
    version: createHash('sha256').update(script).digest('base64url').slice(0, 16),
  }
}
