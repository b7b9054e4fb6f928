import type { Static } from 'typebox'
import { operation } from '../operation.ts'
import { FreeObject, Nullable } from '../shapes.ts'
import { Type } from '../type.ts'

export const CatalogueEvent = Type.Object({
  event: Type.String({ description: 'The name to subscribe to' }),
  when: Type.String(),
  scope: Nullable(
    Type.String({ description: 'The scope that an application needs to receive the event; null for none' }),
  ),
  schemaVersion: Type.String(),
  schema: { ...FreeObject, description: 'JSON Schema of `data`' } as typeof FreeObject,
  example: { ...FreeObject, description: 'A complete request body' } as typeof FreeObject,
})
export type CatalogueEvent = Static<typeof CatalogueEvent>

export const readCatalogue = operation('GET /events/catalogue', {
  area: 'integrations',
  module: 'integrations',
  auth: { apiKey: { scope: null } },
  summary: 'List the events to subscribe to, with their JSON Schemas and examples',
  reply: Type.Object({ events: Type.Array(CatalogueEvent) }),
})
