type TaxData = {
  taxId: string | null
  address: string | null
  city: string | null
  country: string | null
}

/** The fields that a client lacks so that an invoice can be issued to it (INV-18); the country of the issuer decides on the tax id. */
export function missingForInvoices(client: TaxData, issuerCountry: string | undefined): (keyof TaxData)[] {
  const needsTaxId = client.country !== null && client.country === issuerCountry
  const needed = [...(needsTaxId ? (['taxId'] as const) : []), 'address', 'city', 'country'] as const
  return needed.filter(name => client[name] === null)
}
