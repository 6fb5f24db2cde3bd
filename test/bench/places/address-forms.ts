/** A house as its own tags name it. */
export interface WrittenAddress {
  street: string;
  number: string;
  city: string;
  postcode: string | undefined;
}

type Form = (address: WrittenAddress) => string | undefined;

const withCode =
  (write: (address: WrittenAddress & { postcode: string }) => string): Form =>
  ({ postcode, ...rest }) =>
    postcode === undefined ? undefined : write({ ...rest, postcode });

/** Addresses as people write them. Undefined: this house lacks what the form needs. */
export const FORMS: Readonly<Record<string, Form>> = {
  'street number': ({ street, number }) => `${street} ${number}`,
  'number street': ({ street, number }) => `${number} ${street}`,
  'street number, city': ({ street, number, city }) => `${street} ${number}, ${city}`,
  'street number, postcode city': withCode(
    ({ street, number, city, postcode }) => `${street} ${number}, ${postcode} ${city}`,
  ),
  'street number postcode city': withCode(
    ({ street, number, city, postcode }) => `${street} ${number} ${postcode} ${city}`,
  ),
  'number, street, postcode city': withCode(
    ({ street, number, city, postcode }) => `${number}, ${street}, ${postcode} ${city}`,
  ),
  'number street postcode city': withCode(
    ({ street, number, city, postcode }) => `${number} ${street} ${postcode} ${city}`,
  ),
  'number street, city, ST zip': ({ street, number, city, postcode }) =>
    `${number} ${street}, ${city}, XY ${postcode ?? '99217'}`,
  'number street city ST zip': ({ street, number, city, postcode }) =>
    `${number} ${street} ${city} XY ${postcode ?? '99217'}`,
  'three lines': ({ street, number, city, postcode }) => `${street} ${number}\n${postcode ?? ''} ${city}\nErewhon`,
  'city, street, number': ({ street, number, city }) => `${city}, ${street}, ${number}`,
  'postcode, city, street, number': withCode(
    ({ street, number, city, postcode }) => `${postcode}, ${city}, ${street}, ${number}`,
  ),
  'city street number': ({ street, number, city }) => `${city} ${street} ${number}`,
  'a town that is not known': ({ street, number }) => `${street} ${number}, 97531 Quaxelby`,
  'another town, without commas': ({ street, number }) => `${number} ${street} Quaxelby ZZ 97531`,
  // As in Malta, Ireland and Britain.
  'number, street, city postcode': withCode(
    ({ street, number, city, postcode }) => `${number}, ${street}, ${city} ${postcode}`,
  ),
  'flat, number, street, city postcode, country': withCode(
    ({ street, number, city, postcode }) => `Flat 3, ${number}, ${street}, ${city}, ${postcode}, Malta`,
  ),
  'with a unit': ({ street, number, city }) => `${street} ${number}, Apt 4, ${city}`,
};
