import { openCatalogStream } from '#contract/studio/stream.ts'
import type { Area } from '#server/area.ts'
import { seedStudio } from './demo.ts'
import { studioRoutes } from './routes.ts'
import { catalogStreamKind } from './stream/catalog-stream.ts'
import { studioMembershipListener } from './stream/membership-listener.ts'

export const studioArea: Area = {
  name: 'studio',
  operations: studioRoutes,
  streams: [{ kind: catalogStreamKind, contract: openCatalogStream }],
  membershipListener: studioMembershipListener,
  seed: () => seedStudio,
}
