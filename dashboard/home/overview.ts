/** Home reads its figures anew whenever it is opened, but once for one opening. */
export const overviewStaleMs = 2_000
