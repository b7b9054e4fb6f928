import { late } from '../parts/late.tsx'

// The parts of the studio that other areas show.

/** The assets that are linked to a lead, a client, an error; its script comes after that of the screen. */
export const EntityAssets = late(() => import('./links/entity-assets.tsx').then(part => part.EntityAssets))
