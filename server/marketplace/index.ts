import { registerExtraFile } from '#server/studio/index.ts'
import { registerAssetListeners } from './entries/asset-listeners.ts'
import { provenanceCompanion } from './provenance/package-companion.ts'

export { seedMarketplace } from './demo.ts'
export { reviewOverview } from './overview.ts'
export { verify } from './provenance/verify-command.ts'
export { marketplaceRoutes } from './routes.ts'
export { marketplaceStreamKind } from './stream/open.ts'

registerAssetListeners()
registerExtraFile(provenanceCompanion)
