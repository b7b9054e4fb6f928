import { limits } from '#contract/limits.ts'
import { refuseParams } from './rpc-error.ts'

/** Where a page begins: after how many assets and, of the next one, after how many of its files. */
export type ListPosition = { assets: number; files: number }

/** Reads a cursor that `cursorAt` gave; without one, the beginning. Refuses any other text. */
export function parseCursor(cursor: string | undefined): ListPosition {
  if (cursor === undefined) return { assets: 0, files: 0 }
  const [, assets, files] =
    /^(\d{1,6})\.(\d{1,6})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (assets === undefined || Number(assets) > limits.pageOffset) refuseParams('There is no such page.')
  return { assets: Number(assets), files: Number(files) }
}

/** The cursor of a page; nothing beyond the last page that lists have. */
export function cursorAt({ assets, files }: ListPosition): { nextCursor?: string } {
  if (assets > limits.pageOffset) return {}
  return { nextCursor: Buffer.from(`${assets}.${files}`).toString('base64url') }
}
