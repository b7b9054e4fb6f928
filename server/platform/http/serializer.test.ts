import { brotliDecompressSync } from 'node:zlib'
import fastify from 'fastify'
import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { compressResponses } from './compression-and-etag.ts'
import { serializerOf } from './serializer.ts'

const page = Type.Object({
  data: Type.Array(Type.Object({ id: Type.String(), name: Type.Optional(Type.String()) })),
  next: Type.Union([Type.String(), Type.Null()]),
  note: Type.Optional(Type.String()),
})
const names = ['Ñandú', '"quoted"', 'line\nbreak', '😀', ']}']
const itemsOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: `i${at}`, name: names[at % names.length] }))
const read = (json: string | Buffer) => JSON.parse(json.toString())

describe('a reply with a list', () => {
  test.each([0, 1, 199, 200, 201, 300, 1_000])('of %i items has all of them, in their order', count => {
    const reply = { data: itemsOf(count), next: 'a "cursor"' }
    expect(read(serializerOf(page)(reply))).toEqual(reply)
  })

  test.each([3, 500])('of %i items has no property that its schema does not declare', count => {
    const reply = { data: itemsOf(count), next: null, secret: 'hidden' }
    expect(Object.keys(read(serializerOf(page)(reply)))).toEqual(['data', 'next'])
  })

  test('of many items is not written as one long text', () => {
    expect(serializerOf(page)({ data: itemsOf(199), next: null })).toBeTypeOf('string')
    expect(serializerOf(page)({ data: itemsOf(200), next: null })).toBeInstanceOf(Buffer)
  })

  test('a schema that accepts other properties keeps them', () => {
    const open = Type.Object({ data: page.properties.data }, { additionalProperties: true })
    const reply = { data: itemsOf(200), other: 1 }
    expect(read(serializerOf(open)(reply))).toEqual(reply)
  })

  test('of many items is sent with its length, and compressed on request', async () => {
    const app = fastify()
    app.setSerializerCompiler(
      ({ schema }) => serializerOf(schema as typeof page) as (value: unknown) => string,
    )
    compressResponses(app)
    const reply = { data: itemsOf(1_000), next: null }
    app.get('/', { schema: { response: { 200: page } } }, async () => reply)
    const plain = await app.inject('/')
    expect(plain.json()).toEqual(reply)
    expect(plain.headers).toMatchObject({
      'content-length': String(plain.rawPayload.length),
      'content-type': 'application/json; charset=utf-8',
    })
    const brotli = await app.inject({ url: '/', headers: { 'accept-encoding': 'br' } })
    expect(brotli.headers['content-encoding']).toBe('br')
    expect(read(brotliDecompressSync(brotli.rawPayload))).toEqual(reply)
    const head = await app.inject({ method: 'HEAD', url: '/' })
    expect(head.headers['content-length']).toBe(plain.headers['content-length'])
    expect(head.body).toBe('')
    await app.close()
  })
})
