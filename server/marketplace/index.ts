import { registerExtraFile } from '#server/studio/index.ts'
import { followSources } from './entries/follow-source.ts'
import { provenanceCompanion } from './provenance/companion.ts'

export { furnishMarketplace } from './demo.ts'
export { verify } from './provenance/command.ts'
export { marketplaceRoutes } from './routes.ts'

followSources()
registerExtraFile(provenanceCompanion)
