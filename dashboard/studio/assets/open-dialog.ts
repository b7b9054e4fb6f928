import type { AnyAsset, Asset } from './asset.ts'

/** The dialog that is open. */
export type OpenDialog =
  | { kind: 'none' }
  | { kind: 'create' }
  | { kind: 'transferAll' }
  | {
      kind: 'details' | 'duplicate' | 'publish' | 'archive' | 'remove' | 'transfer' | 'file'
      asset: AnyAsset
    }
  | { kind: 'use' | 'export'; asset: Asset }
