import Type, { type Static } from 'typebox'
import { operation } from '../operation.ts'
import { FreeObject, Nullable } from '../shapes.ts'

export const CatalogueEvent = Type.Object({
  event: Type.String({ description: 'Its name, as it is subscribed to' }),
  when: Type.String(),
  scope: Nullable(Type.String({ description: 'What the application needs to be told' })),
  schemaVersion: Type.String(),
  schema: { ...FreeObject, description: 'JSON Schema of `data`' } as typeof FreeObject,
  example: { ...FreeObject, description: 'A whole body, as it is sent' } as typeof FreeObject,
})
export type CatalogueEvent = Static<typeof CatalogueEvent>

export const readCatalogue = operation('GET /events/catalogue', {
  area: 'integrations',
  module: 'integrations',
  auth: { apiKey: { scope: null } },
  summary: 'Read which events there are to subscribe to, with their JSON Schemas and examples',
  reply: Type.Object({ events: Type.Array(CatalogueEvent) }),
})
