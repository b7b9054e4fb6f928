import { limits } from '#contract/limits.ts'
import { refuseParams } from './rpc-error.ts'

/** The start of a page: skipped assets, and skipped files of the next asset. */
export type ListPosition = { assets: number; files: number }

/** Parses a cursor of `cursorAt`. Without one, the start of the list. Rejects any other text. */
export function parseCursor(cursor: string | undefined): ListPosition {
  if (cursor === undefined) return { assets: 0, files: 0 }
  const [, assets, files] =
    /^(\d{1,6})\.(\d{1,6})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (assets === undefined || Number(assets) > limits.pageOffset)
    refuseParams('This cursor is invalid. Start again without a cursor.')
  return { assets: Number(assets), files: Number(files) }
}

/** The cursor of a page; none beyond the largest offset of a list. */
export function cursorAt({ assets, files }: ListPosition): { nextCursor?: string } {
  if (assets > limits.pageOffset) return {}
  return { nextCursor: Buffer.from(`${assets}.${files}`).toString('base64url') }
}
