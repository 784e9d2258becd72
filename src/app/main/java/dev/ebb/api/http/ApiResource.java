package dev.ebb.api.http;

import java.util.List;

/** A part of the REST interface. */
public interface ApiResource {

    /** Returns the routes of the resource; the server registers these and the OpenAPI document describes them. */
    List<ApiRoute> routes();
}
