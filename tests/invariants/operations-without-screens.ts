/** The operations of people, accounts and operators that no screen calls, with the reason. */
export const operationsWithoutNeed: Readonly<Record<string, string>> = {
  createInvitation: 'inviteMany invites one address, too',
  createStreamToken: 'the stream of the SDK calls it',
  getRole: 'listRoles has the same fields',
  openCatalogStream: 'openPeopleStream carries its events',
  openChatStream: 'openPeopleStream carries its events',
  openMarketplaceStream: 'openPeopleStream carries its events',
  readSignature: 'verifySignature replies with its fields, too',
  showPublicLink: 'listInvoiceLinks has the current link, too',
  syncLeads: 'for applications; lead-changed tells people',
}
