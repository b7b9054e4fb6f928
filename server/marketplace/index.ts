import { accompanyPackages } from '#server/studio/index.ts'
import { tellOfNewVersions } from './entries/news.ts'
import { provenanceCompanion } from './provenance/companion.ts'

export { furnishMarketplace } from './demo.ts'
export { verify } from './provenance/command.ts'
export { marketplaceRoutes } from './routes.ts'

tellOfNewVersions()
accompanyPackages(provenanceCompanion)
