import { late } from '../../parts/late.tsx'

/** The dialog that updates a copy; its script is loaded when somebody points at what opens it. */
export const UpdateDialog = late(() => import('./update-dialog.tsx').then(dialog => dialog.UpdateDialog))
