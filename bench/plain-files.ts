/**
 * The limit of files: Fastify with its multipart plugin, which writes files durably to the disk and sends
 * them back. No sign-in, no checks, no digest, no database.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import multipart from '@fastify/multipart'
import fastify from 'fastify'
import { answer } from './answers.ts'
import { temporaryFolder } from './processes.ts'

const folder = temporaryFolder()
const app = fastify()
let count = 0
await app.register(multipart, { limits: { fileSize: Number.POSITIVE_INFINITY } })
app.post('/files', async (request, reply) => {
  let name = ''
  for await (const part of request.parts()) {
    if (part.type !== 'file') continue
    name = String(++count)
    // flushes before it closes
    await pipeline(part.file, createWriteStream(join(folder, name), { flush: true }))
  }
  return reply.code(201).send({ name })
})
app.get<{ Params: { name: string } }>('/files/:name', (request, reply) => {
  reply.type('application/octet-stream')
  return reply.send(createReadStream(join(folder, request.params.name)))
})

answer({
  listen: async () => Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port),
})
