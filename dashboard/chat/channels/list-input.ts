import { limits } from '#contract/limits.ts'

/** How the channels of a person are read, the same for the list, the count in the navigation, and the loader. */
export const channelListInput = { query: { limit: limits.pageLimit } }
