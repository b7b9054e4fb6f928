/**
 * The limit of error reports: a Fastify route that validates the same body and replies. It stores nothing.
 */
import fastify from 'fastify'
import { reportError } from '#contract/error-reports/errors.ts'
import { answer } from './answers.ts'

const app = fastify()
let count = 0
app.post(
  '/api/external/v1/errors/report',
  { schema: { body: reportError.body, response: { 200: reportError.reply } } },
  async request => ({
    success: true,
    hash: String((request.body as { message: string }).message.length),
    deduplicated: count++ > 0,
  }),
)

answer({
  listen: async () => Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port),
})
