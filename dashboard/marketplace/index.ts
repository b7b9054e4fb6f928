import { late } from '../parts/late.tsx'

/** Publishes an asset in the marketplace: `<SubmitDialog asset={…} onClose={…} />`. Its script comes when it first opens. */
export const SubmitDialog = late(() =>
  import('./submissions/submit-dialog.tsx').then(dialog => dialog.SubmitDialog),
)
