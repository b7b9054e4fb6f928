/** A stored signing link, with the SHA-256 of its PDF. */
export type SigningLinkRow = {
  id: string
  budget_id: string
  /** The request of several signers that the link belongs to. */
  signature_request_id: string | null
  signer_name: string
  signer_email: string
  document_id: string | null
  /** null if the PDF could not be created; the data of the budget is signed instead. */
  document_sha256: string | null
  /** The fingerprint of the data that the PDF shows; null for the PDFs of earlier versions. */
  document_data_sha256: string | null
  created_by: string | null
  created_at: string
  expires_at: string
  mailed_at: string | null
  reminder_count: number
  viewed_at: string | null
  revoked_at: string | null
  used_at: string | null
  declined_at: string | null
  /** According to the clock of the database. */
  is_expired: boolean
}

const columns = [
  'id',
  'budget_id',
  'signature_request_id',
  'signer_name',
  'signer_email',
  'document_id',
  'created_by',
  'created_at',
  'expires_at',
  'mailed_at',
  'reminder_count',
  'viewed_at',
  'revoked_at',
  'used_at',
  'declined_at',
]
/** The select list of `signing_link l` for a full row, with the joins in `linkJoins`. */
export const allLinkColumns = `${columns.map(name => `l.${name}`).join(', ')},
  d.sha256 as document_sha256, d.data_sha256 as document_data_sha256, l.expires_at <= now() as is_expired`
export const linkJoins =
  'left join budget_document d on d.organization_id = $organization and d.id = l.document_id'
