import { openMarketplaceStream } from '#contract/marketplace/stream.ts'
import type { Area } from '#server/area.ts'
import { registerExtraFile } from '#server/studio/index.ts'
import { seedMarketplace } from './demo.ts'
import { registerAssetListeners } from './entries/asset-listeners.ts'
import { reviewOverview } from './overview.ts'
import { provenanceCompanion } from './provenance/package-companion.ts'
import { marketplaceRoutes } from './routes.ts'
import { marketplaceStreamKind } from './stream/open.ts'

registerAssetListeners()
registerExtraFile(provenanceCompanion)

export const marketplaceArea: Area = {
  name: 'marketplace',
  operations: marketplaceRoutes,
  streams: [{ kind: marketplaceStreamKind, contract: openMarketplaceStream }],
  overview: (_db, caller, crossTenant) => reviewOverview(crossTenant, caller),
  seed: () => seedMarketplace,
}
