import pg from 'pg';
import { type Bus, connectBus } from '../bus/bus.ts';
import { uuidv7 } from '../ids/uuid.ts';
import { type Logger } from '../log/logger.ts';
import { createTestDatabase } from './database.ts';
import { isolateBus } from './isolate-bus.ts';

/** A database and a subject prefix of the broker for one test file. */
export interface InfraEndpoints {
  databaseUrl: string;
  natsUrl: string;
  /** Reads the service's schema directly. */
  sql: pg.Pool;
  /** Opens another connection to the broker, restricted to this prefix; the caller drains it. */
  openBus: (url?: string) => Bus;
  /** Drops the database; call it when everything on it has stopped. */
  close(): Promise<void>;
}

/** Opens the infra of a service with this schema, on the servers that `DATABASE_URL` and `NATS_URL` name. */
export async function openInfra(schema: string, log: Logger): Promise<InfraEndpoints> {
  const database = await createTestDatabase();
  const natsUrl = process.env.NATS_URL ?? '';
  const prefix = `t${uuidv7()}`;
  const sql = new pg.Pool({ connectionString: database.url, max: 2, options: `-c search_path=${schema}` });
  return {
    databaseUrl: database.url,
    natsUrl,
    sql,
    openBus: (url = natsUrl) => isolateBus(connectBus({ url, name: `${schema}-test`, log }), prefix),
    close: async () => {
      await sql.end();
      await database.drop();
    },
  };
}
